// Keeps elapsed and relative times true while a page stays open.
"use strict";

function spell(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function ago(seconds) {
  if (seconds < 45) return "just now";
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h ago`;
  if (seconds < 86400 * 30) return `${Math.round(seconds / 86400)} d ago`;
  return null;
}

function tell() {
  const now = Date.now();
  for (const place of document.querySelectorAll("time[data-elapsed]")) {
    place.textContent = spell(Math.max(0, Math.floor((now - Date.parse(place.dateTime)) / 1000)));
  }
  for (const place of document.querySelectorAll("time[data-ago]")) {
    const text = ago((now - Date.parse(place.dateTime)) / 1000);
    if (text && place.textContent !== text) place.textContent = text;
  }
}

setInterval(tell, 1000);
document.addEventListener("htmx:afterSettle", tell);
tell();
