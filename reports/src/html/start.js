// Puts everything in its place, and follows links to one mutant or test.

function follow() {
  let id = "";
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
  const list = id.startsWith("mutant-") ? mutantList : id.startsWith("test-") ? testList : null;
  if (!list || list.open(id)) return;
  // A filter hides it.
  $(list === mutantList ? "filters" : "test-filters").reset();
  setTimeout(() => list.open(id));
}

matrix.start();
startMutants();
startTests();
tree.start();
addEventListener("hashchange", follow);
// A printed page cannot grow, so more is shown before printing.
addEventListener("beforeprint", () => { mutantList.grow(2000); testList.grow(Math.max(testList.shown, 200)); tree.open(200); });
follow();
