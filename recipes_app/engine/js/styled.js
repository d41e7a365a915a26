// Until the page has its style: before, a text shows what nobody will see, and in other letters.
async () => {
  const MOST_MS = 3000;
  const POLL_MS = 25;
  const missing = (link) => !link.sheet && !link.disabled && (!link.media || matchMedia(link.media).matches);
  // Once everything has loaded, a style sheet that is not there has failed.
  const waits = () => document.readyState !== "complete" && [...document.querySelectorAll("link[rel~=stylesheet i]")].some(missing);
  for (let waited = 0; waited < MOST_MS && waits(); waited += POLL_MS) {
    await new Promise((done) => { setTimeout(done, POLL_MS); });
  }
}
