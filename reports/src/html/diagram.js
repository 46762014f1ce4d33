// Space-time diagrams: a line for each process, a row for each event, an arrow for each pair. The layout comes with the data.

// The texts stay where they are while the lanes are scrolled, and so do the names above them.

// Lanes come closer together until all of them have room, or until they would be too close.
const ROW = 24, CHARACTER = 7.3, LONGEST_NAME = 16, ROOM = 620, CLOSEST = 24;

const rowOf = ([by, on, words, place, from = [], after = [], races = [], blocked = 0]) => ({ by, on, words, place, from, after, races, blocked });

// The figure of a sequence with its race table, or nothing if there is none. `differing` is the row where the behaviours part,
// `variants` are the tests that are known to be variants of it.
function diagram(place, title, differing, variants = []) {
  if (place === null || place === undefined) return null;
  const [lanes, rows, table] = JSON.parse(sequenceLines()[place]);
  const words = sequenceWords();
  const drawing = new SpaceTime(lanes.map(([name, id, thread]) => ({ name: words[name], id: words[id], thread })),
    rows.map(rowOf).map((row) => ({ ...row, words: words[row.words], place: words[row.place] })), title, differing);
  return make("div", { class: "sequence" }, drawing.figure, raceTable(drawing, table, title, variants));
}

class SpaceTime {
  static count = 0;

  constructor(lanes, rows, title, differing) {
    Object.assign(this, { lanes, rows, differing, chosen: null, arrowHead: `arrow-head-${++SpaceTime.count}` });
    const longest = Math.max(0, ...lanes.map((lane) => Math.min(lane.name.length, LONGEST_NAME)));
    const wanted = Math.max(48, longest * CHARACTER + 14);
    this.step = Math.max(CLOSEST, Math.min(wanted, ROOM / Math.max(1, lanes.length)));
    // Names that would overlap are slanted.
    this.slant = this.step < wanted;
    this.head = this.slant ? Math.ceil(longest * CHARACTER * .65) + 22 : 32;
    this.width = lanes.length * this.step + (this.slant ? longest * CHARACTER * .75 : 0) + 16;
    this.caption = make("figcaption", { "aria-live": "polite" });
    this.svg = this.draw(title);
    const texts = make("div", { class: "std-texts" }, this.texts);
    const box = make("div", { class: "diagram", tabindex: 0, role: "group", "aria-label": `${title}. Arrow keys go from event to event.`,
      onkeydown: (event) => this.keys(event), onmouseleave: () => this.choose(null) }, make("div", { class: "std-corner" }), this.names(), texts, this.svg);
    this.figure = make("figure", {}, box, this.caption, this.list());
    this.choose(null);
  }

  x(lane) { return this.step / 2 + 4 + lane * this.step; }
  y(row) { return ROW / 2 + row * ROW; }
  lane(row) { const it = this.rows[row]; return it?.by[0] ?? (it?.on >= 0 ? it.on : undefined); }

  draw(title) {
    const { width } = this, height = Math.max(1, this.rows.length) * ROW;
    const head = make("marker", { id: this.arrowHead, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      make("path", { class: "std-point", d: "M0 0.8L7.4 4L0 7.2z" }));
    const lane = (it, n) => make("g", { class: it.thread ? "std-thread" : "std-object" }, make("title", {}, `${it.name} (${it.id})`),
      make("line", { x1: this.x(n), y1: 0, x2: this.x(n), y2: height }));
    this.groups = this.rows.map((row, n) => this.row(row, n, width));
    this.texts = this.rows.map((row, n) => this.text(row, n));
    this.racing = make("g", {});
    return make("svg", { class: "std", role: "img", "aria-label": `${title}: ${plural(this.rows.length, "event")} of ${plural(this.lanes.length, "process")}`.replace("processs", "processes"),
      viewBox: `0 0 ${width} ${height}`, width, height }, make("defs", {}, head), this.lanes.map(lane), this.groups, this.racing);
  }

  // The names of the lanes, which stay above them.
  names() {
    const { width, head, slant } = this, y = head - 10;
    const name = (it, n) => make("text", { class: it.thread ? "" : "std-object", x: this.x(n), y, "text-anchor": slant ? "start" : "middle",
      transform: slant ? `rotate(-40 ${this.x(n)} ${y})` : null }, make("title", {}, `${it.name} (${it.id})`), short(it.name, LONGEST_NAME));
    return make("svg", { class: "std-names", "aria-hidden": "true", preserveAspectRatio: "xMinYMin", viewBox: `0 0 ${width} ${head}`, width, height: head }, this.lanes.map(name));
  }

  text(row, n) {
    const differs = n === this.differing;
    return make("div", { class: differs ? "std-text std-differs" : "std-text", title: this.words(n), onmouseenter: () => this.choose(n) },
      make("span", { class: "std-number" }, differs ? `▸ ${n + 1}` : String(n + 1)), make("span", { class: "std-words" }, short(row.words)),
      make("span", { class: "std-place" }, row.place.length > 40 ? "…" + row.place.slice(-39) : row.place));
  }

  row(row, n, width) {
    const here = this.lane(n), y = this.y(n);
    const dot = (name, lane, r) => make("circle", { class: name, cx: this.x(lane), cy: y, r });
    const group = make("g", { class: n === this.differing ? "row std-differs" : "row", onmouseenter: () => this.choose(n) },
      make("rect", { class: "hit", x: 0, y: y - ROW / 2, width, height: ROW }));
    if (n === this.differing) group.append(make("rect", { class: "std-band", x: 0, y: y - ROW / 2, width, height: ROW }));
    row.after.forEach((from) => group.append(...this.arrow("std-after", this.lane(from), from, here, n)));
    row.from.forEach((from) => group.append(...this.arrow("std-pair", this.lane(from), from, here, n)));
    if (row.by.length > 1) group.append(...this.arrow("std-pair", row.by[0], n, row.by.at(-1), n));
    else if (row.on >= 0) group.append(...this.arrow("std-call", row.by[0], n, row.on, n));
    if (row.on >= 0) group.append(dot("std-completion", row.on, 4));
    row.by.forEach((lane) => group.append(dot(row.blocked ? "std-event std-blocked" : "std-event", lane, 4.5)));
    return group;
  }

  arrow(name, fromLane, fromRow, toLane, toRow) {
    if (fromLane === undefined || toLane === undefined || fromLane === toLane) return [];
    const [x1, y1, x2, y2] = [this.x(fromLane), this.y(fromRow), this.x(toLane), this.y(toRow)];
    const length = Math.hypot(x2 - x1, y2 - y1), end = (a, b) => (b - (b - a) / length * 5.5).toFixed(1);
    return [make("line", { class: name, x1, y1, x2: end(x1, x2), y2: end(y1, y2), "marker-end": `url(#${this.arrowHead})` })];
  }

  // For each row those directly before it: the last on each of its lanes, what it took, and what it came after.
  before = lazily(() => {
    const last = new Map();
    return this.rows.map((row, n) => {
      const lanes = row.on >= 0 ? [...row.by, row.on] : row.by;
      const all = [...lanes.map((lane) => last.get(lane)), ...row.from, ...row.after].filter((it) => it !== undefined);
      lanes.forEach((lane) => last.set(lane, n));
      return all;
    });
  });

  // Shows what happens before and after a row, and what it could have taken instead.
  choose(n) {
    this.chosen = n;
    this.svg.parentElement?.classList.toggle("chosen", n !== null);
    this.racing.replaceChildren();
    const past = new Set(), future = new Set();
    if (n !== null) {
      const before = this.before(), visit = [n];
      for (let at; (at = visit.pop()) !== undefined;) for (const it of before[at]) if (!past.has(it)) past.add(it), visit.push(it);
      before.forEach((all, at) => { if (all.some((it) => it === n || future.has(it))) future.add(at); });
      for (const race of this.racesOf(n)) this.racing.append(...this.arrow("std-race", this.lane(race), race, this.lane(n), n));
    }
    const races = n === null ? [] : this.racesOf(n);
    this.groups.forEach((group, at) => {
      for (const it of [group, this.texts[at]]) {
        it.classList.toggle("here", at === n);
        it.classList.toggle("past", past.has(at));
        it.classList.toggle("future", future.has(at));
        it.classList.toggle("race", races.includes(at));
      }
    });
    this.caption.textContent = n === null
      ? "Point at an event, or use the arrow keys, to see what happens before and after it; what is concurrent with it fades."
      : this.tell(n, past.size, future.size);
  }

  tell(n, past, future) {
    const concurrent = this.rows.length - 1 - past - future;
    const races = this.rows[n].races.map(insteadWords).join(", ");
    return `${this.words(n)} · ${past} before, ${future} after, ${concurrent} concurrent` + (races ? ` · races: could have taken ${races} instead` : "");
  }

  words(n) {
    const row = this.rows[n];
    return `${n + 1} ${this.who(n)}: ${row.words}${row.place ? ` at ${row.place}` : ""}${n === this.differing ? " (differs here)" : ""}`;
  }

  who(n) { return this.rows[n].by.map((lane) => this.lanes[lane].name).join(" → "); }

  // The rows of what it could have taken instead.
  racesOf(n) { return this.rows[n].races.flat().filter((row) => row >= 0); }

  // The same in words, for readers who do not see the drawing.
  list() {
    const line = (row, n) => make("li", {}, this.words(n).replace(/^\d+ /, ""), row.races.length ? ` — could have taken ${row.races.map(insteadWords).join(", ")} instead` : "");
    const details = make("details", {}, make("summary", {}, "As a list, with races"));
    details.addEventListener("toggle", () => { if (details.open && !details.querySelector("ol")) details.append(make("ol", {}, this.rows.map(line))); });
    return details;
  }

  keys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.choose(null);
    if (!step || !this.rows.length) return;
    event.preventDefault();
    const next = this.chosen === null ? (step > 0 ? 0 : this.rows.length - 1) : Math.min(this.rows.length - 1, Math.max(0, this.chosen + step));
    this.choose(next);
    this.texts[next].scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }
}
