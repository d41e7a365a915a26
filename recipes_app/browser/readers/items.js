// The fields of every item, as { text, lang, base } each; null where nothing is there.
(items, given) => {
  const read = READ;
  const one = (item, fields) => {
    const found = {};
    for (const [name, field] of Object.entries(fields)) {
      let node = item;
      try { node = field.css ? item.querySelector(field.css) : item; }
      catch (error) { throw new Error(`no valid selector: ${field.css}`); }
      if (!node) found[name] = null;
      else found[name] = field.fields ? one(node, field.fields) : read(node, { attr: field.attr, type: field.type });
    }
    return found;
  };
  return items.slice(0, given.limit).map((item) => one(item, given.fields));
}
