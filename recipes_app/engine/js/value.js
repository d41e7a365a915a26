// What a field holds, as text, once the page has had a frame and a task to change its mind.
async (element, given) => {
  if (given && given.settle) {
    const watch = window[Symbol.for("agentify.watch")];
    await new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done, 0));
      const own = setTimeout(done, 60);
      watch?.timers.delete(own); // our own waiting is not the page's
    });
    // Frames and idle moments that the page has asked for by now, and those asked for in these: no further, for some ask
    // for one after another without end; and no longer than a busy machine may need to give them.
    for (let round = 0; round < 2 && watch?.frames.size; round += 1) {
      const asked = [...watch.frames];
      const until = performance.now() + 1000;
      while (asked.some((each) => watch.frames.has(each)) && performance.now() < until) {
        await new Promise((done) => {
          const own = setTimeout(done, 4);
          watch.timers.delete(own);
        });
      }
    }
    // What the page will do in a moment may take the value back.
    const now = performance.now();
    const timers = [...(watch?.timers.values() || [])].filter((due) => due > now && due < now + 250);
    if (timers.length) await new Promise((done) => { setTimeout(done, Math.max(...timers) - now + 5); });
  }
  return (HELD)(element);
}
