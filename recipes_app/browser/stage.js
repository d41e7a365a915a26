// What a capture does to a document before and while its picture is taken, and what it measures there. Nothing is added
// to the tree; what is stopped goes on, and what is scrolled goes back, when the capture is over.
(given) => {
  const KEY = Symbol.for("agentify.stage");
  const root = document.scrollingElement || document.documentElement;
  const now = () => performance.now();
  const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
  const painted = () => Promise.race([
    new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }), wait(250),
  ]);
  const to = (x, y) => window.scrollTo({ left: x, top: y, behavior: "instant" });
  const everything = function* everything(from) {
    for (const element of from.querySelectorAll("*")) {
      yield element;
      if (element.shadowRoot) yield* everything(element.shadowRoot);
    }
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const height = () => Math.max(root.scrollHeight, document.documentElement.scrollHeight);
  const words = (element) => (element.innerText || "").replace(/\s+/g, " ").trim();

  // Down in steps of nearly one view, and back. A page that grows is followed for a while, not for ever.
  const roam = async ({ limit_ms, furthest, growths }) => {
    const until = now() + limit_ms;
    const [x, y, first] = [scrollX, scrollY, height()];
    let [at, known, grew, over] = [0, first, 0, false];
    while (!over && at + innerHeight < Math.min(height(), furthest) - 1) {
      at = Math.min(at + innerHeight * 0.9, height() - innerHeight);
      to(0, at);
      await painted();
      if (at + innerHeight >= height() - 1) await wait(150);
      if (height() > known + 1) {
        grew += 1;
        known = height();
      }
      over = now() > until || grew > growths;
    }
    to(x, y);
    await painted();
    return { first, height: height(), grew, over };
  };

  const SMALL = 10000; // square pixels
  const PART = 0.15; // of the window
  const LATER = ["data-src", "data-original", "data-lazy-src", "data-lazy"];
  const promised = (image) => LATER.map((name) => image.getAttribute(name)).find(Boolean);
  const isPending = (image) => {
    if (!image.complete) return true;
    const later = promised(image);
    if (!later) return false;
    const source = image.currentSrc || image.src;
    return !source || source.startsWith("data:") || (image.naturalWidth <= 2 && source !== new URL(later, document.baseURI).href);
  };
  // Those that are to be seen in the part of the page that is pictured.
  const pictures = (furthest) => [...everything(document)].filter((element) => {
    if (element.tagName !== "IMG" || !shown(element) || !(element.getAttribute("src") || element.srcset || promised(element))) return false;
    return element.getBoundingClientRect().top + scrollY < furthest;
  });
  const images = async ({ limit_ms, furthest }) => {
    const until = now() + limit_ms;
    let all = pictures(furthest);
    for (const image of all) if (image.loading === "lazy" && !image.complete) image.loading = "eager";
    while (all.some(isPending) && now() < until) {
      await wait(40);
      all = pictures(furthest);
    }
    const pending = all.filter(isPending);
    const broken = all.filter((image) => !isPending(image) && image.naturalWidth === 0 && image.complete);
    // Small is what was given its size and is no larger than an icon; of what has no size yet nothing is known.
    const isSmall = (image) => {
      const { width, height: tall } = image.getBoundingClientRect();
      return width * tall > 0 && width * tall < SMALL;
    };
    const small = pending.filter(isSmall).length;
    return { total: all.length, loaded: all.length - pending.length - broken.length, broken: broken.length, small };
  };

  const fonts = async ({ limit_ms }) => {
    await Promise.race([document.fonts.ready, wait(limit_ms)]);
    return document.fonts.status === "loaded";
  };

  const keeping = () => (window[KEY] ??= { animations: new Set(), films: new Set(), sheet: null, styles: [], at: [], parts: [] });
  // Animations that end are at their end, those that do not are at their beginning; films stand still; no caret.
  const still = () => {
    const kept = keeping();
    for (const animation of document.getAnimations()) {
      if (animation.playState !== "running") continue;
      const endless = animation.effect?.getComputedTiming().endTime === Infinity;
      try {
        if (endless) {
          animation.pause();
          animation.currentTime = 0;
          kept.animations.add(animation);
        } else animation.finish();
      } catch { /* one of a timeline of its own, such as scrolling: it stands still by itself */ }
    }
    for (const film of document.querySelectorAll("video")) {
      if (!film.paused) {
        film.pause();
        kept.films.add(film);
      }
    }
    if (!kept.sheet) {
      kept.sheet = new CSSStyleSheet();
      kept.sheet.replaceSync("* { caret-color: transparent !important; }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, kept.sheet];
    }
  };
  const resume = () => {
    const kept = window[KEY];
    if (!kept) return;
    close(kept);
    for (const animation of kept.animations) animation.play();
    for (const film of kept.films) film.play().catch(() => {});
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== kept.sheet);
    delete window[KEY];
  };

  // What stays in its place in the window while the page is scrolled: [x, y, width, height] in the window.
  const pinned = () => {
    const found = [];
    for (const element of everything(document)) {
      const style = getComputedStyle(element);
      if (style.position !== "fixed" && style.position !== "sticky") continue;
      const box = element.getBoundingClientRect();
      if (!box.width || !box.height || box.bottom <= 0 || box.top >= innerHeight || !shown(element)) continue;
      const isStuck = style.position === "fixed"
        || (style.top !== "auto" && Math.abs(box.top - parseFloat(style.top)) < 1.5)
        || (style.bottom !== "auto" && Math.abs(innerHeight - box.bottom - parseFloat(style.bottom)) < 1.5);
      if (isStuck) found.push([box.x, box.y, box.width, box.height]);
    }
    return found;
  };
  const scroll = async ({ x, y }) => {
    to(x, y);
    await painted();
    return { x: scrollX, y: scrollY, pinned: pinned(), height: height() };
  };

  const share = (box) => {
    const width = Math.min(box.right, innerWidth) - Math.max(box.left, 0);
    const tall = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    return width > 0 && tall > 0 ? (width * tall) / (innerWidth * innerHeight) : 0;
  };
  // What stands in front of the rest: fixed, or a dialog, and not itself the page.
  const overlays = () => {
    const all = words(document.body || document.documentElement).length;
    const found = [];
    for (const element of everything(document)) {
      const isDialog = element.matches("dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]");
      if (!isDialog && getComputedStyle(element).position !== "fixed") continue;
      const covers = share(element.getBoundingClientRect());
      const text = words(element);
      if (covers < 0.05 || !shown(element) || text.length * 2 > all) continue;
      if (found.some((other) => other.element.contains(element))) continue;
      found.push({ element, covers: Math.round(covers * 100), text: text.slice(0, 80) });
    }
    return found.slice(0, 10).map(({ covers, text }) => ({ covers, text }));
  };
  // Parts of the page that scroll by themselves, large enough to matter; in what is fixed in front of it only what is
  // nearly the page itself.
  const inner = function* inner() {
    for (const element of everything(document)) {
      if (element === root || element === document.body || element.scrollHeight <= element.clientHeight + 20) continue;
      if (!/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
      const box = element.getBoundingClientRect();
      const part = (box.width * box.height) / (innerWidth * innerHeight);
      if (part >= (isFixed(element) ? 0.5 : PART) && shown(element)) yield element;
    }
  };
  const above = (element) => element.parentElement || element.getRootNode().host || null;
  const isFixed = (element) => {
    for (let each = element; each; each = above(each)) if (getComputedStyle(each).position === "fixed") return true;
    return false;
  };
  const ending = (element) => (element.innerText || element.value || "").replace(/\s+/g, " ").trim().slice(-60);

  const set = (kept, element, name, value) => {
    if (!kept.styles.some(([other]) => other === element)) kept.styles.push([element, element.getAttribute("style")]);
    element.style.setProperty(name, value, "important");
  };
  // As high as what it holds, and everything around it as high as that needs: what it held further down is in the page.
  const grow = (kept, part) => {
    set(kept, part, "max-height", "none");
    set(kept, part, "min-height", `${part.scrollHeight + part.offsetHeight - part.clientHeight}px`);
    for (let [child, each] = [part, above(part)]; each; [child, each] = [each, above(each)]) {
      const style = getComputedStyle(each);
      if (style.position === "fixed") set(kept, each, "position", "absolute");
      if (style.display.includes("flex")) set(kept, each, "height", "auto"); // or what stands beside would shrink
      const needed = child.getBoundingClientRect().bottom - each.getBoundingClientRect().top;
      set(kept, each, "max-height", "none");
      if (needed > each.getBoundingClientRect().height + 1) set(kept, each, "min-height", `${Math.ceil(needed)}px`);
    }
  };
  const close = (kept) => {
    for (const [element, style] of kept.styles.reverse()) {
      element.setAttribute("style", style ?? ""); // Chromium does not take away an attribute it has not written yet
      if (style === null) element.removeAttribute("style");
    }
    for (const [element, top] of kept.at) element.scrollTop = top;
    [kept.styles, kept.at] = [[], []];
  };
  // One of the parts that could not be opened, scrolled to `top`: its inside in the document, as it stands in the window.
  const turn = async ({ at, top }) => {
    const kept = keeping();
    const part = kept.parts[at];
    if (!kept.at.some(([other]) => other === part)) kept.at.push([part, part.scrollTop]);
    const inside = () => {
      const box = part.getBoundingClientRect();
      return [box.x + part.clientLeft, box.y + part.clientTop, part.clientWidth, part.clientHeight];
    };
    if (inside()[1] < 0 || inside()[1] + part.clientHeight > innerHeight) to(scrollX, inside()[1] + scrollY);
    part.scrollTop = top;
    await painted();
    await wait(100); // rows are drawn a moment after it was scrolled
    const [x, y, width, tall] = inside();
    return { top: part.scrollTop, height: part.scrollHeight, box: [x + scrollX, y + scrollY, width, tall] };
  };
  // To its end and back: what is fetched on the way is there, and how it ends is known.
  const walk = async (part, until) => {
    const first = part.scrollTop;
    while (part.scrollTop + part.clientHeight < part.scrollHeight - 1 && now() < until) {
      const at = part.scrollTop;
      part.scrollTop = at + part.clientHeight * 0.9;
      await painted();
      if (part.scrollTop <= at) break;
    }
    const end = ending(part);
    part.scrollTop = first;
    await painted();
    return end;
  };
  // `opened` is true where all of it is drawn now; a list that draws only the rows in view is left as it was.
  const open = async ({ limit_ms }) => {
    const kept = keeping();
    const [until, found, seen] = [now() + limit_ms, [], new Set()];
    for (let round = 0; round < 3; round += 1) {
      const part = [...inner()].find((element) => !seen.has(element));
      if (!part || now() > until) break;
      seen.add(part);
      const told = { height: part.scrollHeight, shown: part.clientHeight, opened: false };
      found.push(told);
      const [before, at] = [kept.styles.length, part.scrollTop];
      const end = await walk(part, until);
      told.height = part.scrollHeight;
      part.scrollTop = 0;
      kept.at.push([part, at]);
      grow(kept, part);
      await painted();
      await wait(100);
      told.opened = part.scrollHeight <= part.clientHeight + 20 && ending(part) === end;
      if (!told.opened) {
        kept.parts.push(part);
        const [styles, places] = [kept.styles.splice(before), kept.at.splice(-1)];
        close({ styles, at: places });
        await painted();
      }
    }
    return found;
  };
  const measure = () => ({
    width: Math.max(root.scrollWidth, innerWidth), height: height(), view: [innerWidth, innerHeight],
    scale: devicePixelRatio, x: scrollX, y: scrollY, overlays: overlays(), type: document.contentType,
  });
  const about = () => ({
    user_agent: navigator.userAgent, locale: navigator.language, viewport: `${innerWidth}x${innerHeight}`,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, scale: devicePixelRatio, title: document.title,
  });
  // With the words of open shadow roots, which innerText leaves out.
  const text = ({ limit }) => {
    const parts = [(document.body || document.documentElement).innerText || ""];
    for (const element of everything(document)) {
      if (!element.shadowRoot || !shown(element)) continue;
      const own = [...element.shadowRoot.children].map((child) => child.innerText || "").join("\n").trim();
      if (own) parts.push(own);
    }
    const whole = parts.join("\n");
    return { text: whole.slice(0, limit), complete: whole.length <= limit };
  };
  return { roam, images, fonts, still, resume, open, turn, scroll, measure, about, text }[given.do](given);
}
