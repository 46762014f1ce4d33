// The kill matrix: a canvas that draws only the visible part, however large the matrix is.

const matrix = {
  grid: $("matrix-grid"),
  canvas: $("matrix-grid").querySelector("canvas"),
  spacer: $("matrix-grid").querySelector(".spacer"),
  rows: [],
  cursor: null,

  start() {
    const again = () => this.draw();
    this.grid.addEventListener("scroll", again);
    new ResizeObserver(again).observe(this.grid);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.legend(); again(); });
    this.grid.addEventListener("mousemove", (event) => this.point(this.at(event)));
    this.grid.addEventListener("mouseleave", () => this.point(null));
    this.grid.addEventListener("click", (event) => { this.point(this.at(event)); this.open(); });
    this.grid.addEventListener("keydown", (event) => this.keys(event));
    this.legend();
  },

  // Colours come from the style, so that they fit the light and the dark. Each difference has its own, which no status has.
  colours() {
    const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(`--${name}`).trim();
    return { kinds: index.differences.map((name) => of(`differs-${name}`)), ink: of("ink"), soft: of("soft"), line: of("line"), raised: of("raised"), ground: of("ground"), of };
  },

  legend() {
    const { kinds } = this.colours();
    $("matrix-legend").replaceChildren(...index.differences.map((name, n) => {
      const mark = make("i");
      mark.style.background = kinds[n];
      return make("li", {}, mark, `differs in ${short(name, 60)}`);
    }));
  },

  show(shown) {
    const wasRun = (mutant) => ["killed", "survived", "undecided"].includes(mutant.status);
    // In the order of the source, so that mutants of one place are together.
    this.rows = shown.filter(wasRun).sort((a, b) => a.n - b.n);
    const size = (count) => (count <= 80 ? 16 : count <= 400 ? 6 : 3);
    this.width = size(tests.length);
    this.height = size(this.rows.length);
    // The heads: names of mutants on the left, numbers of tests above. They are drawn where the reader is.
    this.gutter = 128;
    this.head = 22;
    const [wide, high] = [this.gutter + tests.length * this.width, this.head + this.rows.length * this.height];
    const none = !this.rows.length || !tests.length;
    this.grid.hidden = none;
    $("matrix-cell").textContent = none ? "There is nothing to show: no mutant that the filters show was run with a test." : "";
    this.grid.style.width = `min(100%, ${wide + 2}px)`;
    this.grid.style.height = `min(75vh, ${high + 2}px)`;
    this.spacer.style.width = `${wide}px`;
    this.spacer.style.height = `${high}px`;
    this.grid.setAttribute("aria-label", `Kill matrix: ${plural(this.rows.length, "mutant")} by ${plural(tests.length, "test")}`);
    this.cursor = null;
    this.draw();
  },

  draw() {
    if (this.grid.hidden || !this.rows.length) return;
    const { grid, canvas, width, height, gutter, head } = this, ratio = devicePixelRatio || 1;
    const [wide, high] = [grid.clientWidth, grid.clientHeight];
    // It is in a tab that is not open.
    if (!wide || !high) return;
    canvas.width = wide * ratio; canvas.height = high * ratio;
    canvas.style.width = `${wide}px`; canvas.style.height = `${high}px`;
    this.spacer.style.marginTop = `${-high}px`;
    const pen = canvas.getContext("2d"), colours = this.colours();
    pen.scale(ratio, ratio);
    pen.font = "11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    pen.textBaseline = "middle";
    const gap = height > 4 ? 1 : 0, left = grid.scrollLeft, top = grid.scrollTop;
    const first = Math.floor(top / height), last = Math.min(this.rows.length, Math.ceil((top + high - head) / height));
    // Names stand so far apart that they can be read.
    const [everyRow, everyTest] = [Math.ceil(14 / height), Math.ceil(40 / width)];
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, wide, high);
    for (let row = first; row < last; row++) {
      const mutant = this.rows[row], y = head + row * height - top;
      pen.fillStyle = colours.raised;
      pen.fillRect(gutter, y, Math.min(wide, tests.length * width - left), height - gap);
      for (const kill of mutant.kills) {
        const x = gutter + testOf(kill) * width - left;
        if (x + width < gutter || x > wide) continue;
        pen.fillStyle = colours.kinds[differenceOf(kill)];
        pen.fillRect(x, y, width - (width > 4 ? 1 : 0), height - gap);
      }
      pen.fillStyle = colours.ground;
      pen.fillRect(0, y, gutter, height);
      pen.fillStyle = colours.of(mutant.status);
      pen.fillRect(0, y, 4, height - gap);
    }
    for (let row = Math.ceil(first / everyRow) * everyRow; row < last; row += everyRow) {
      pen.fillStyle = colours.soft;
      pen.fillText(short(this.rows[row].id, 17), 9, head + row * height - top + Math.max(height, 12) / 2);
    }
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, wide, head);
    pen.fillStyle = colours.soft;
    const firstTest = Math.floor(left / width), lastTest = Math.min(tests.length, Math.ceil((left + wide - gutter) / width));
    for (let test = Math.ceil(firstTest / everyTest) * everyTest; test < lastTest; test += everyTest) {
      const x = gutter + test * width - left;
      pen.fillRect(x, head - 5, 1, 5);
      pen.fillText(`#${test + 1}`, x + 3, head / 2);
    }
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, gutter, head);
    pen.fillStyle = colours.soft;
    pen.fillText("mutant", 9, head / 2);
    pen.fillText("test", gutter - 34, head / 2);
    pen.fillStyle = colours.line;
    pen.fillRect(0, head - 1, wide, 1);
    pen.fillRect(gutter - 1, 0, 1, high);
    if (this.cursor) {
      const [row, test] = this.cursor;
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(gutter + test * width - left - 1, head + row * height - top - 1, width + 1, height + 1);
    }
  },

  at(event) {
    const box = this.grid.getBoundingClientRect(), { grid, width, height, gutter, head } = this;
    const [x, y] = [event.clientX - box.left - 1 - gutter, event.clientY - box.top - 1 - head];
    // What is under the heads is not seen.
    if (x < 0 || y < 0) return null;
    const row = Math.floor((y + grid.scrollTop) / height), test = Math.floor((x + grid.scrollLeft) / width);
    return row >= 0 && row < this.rows.length && test >= 0 && test < tests.length ? [row, test] : null;
  },

  point(cell) {
    if (String(cell) === String(this.cursor)) return;
    this.cursor = cell;
    this.draw();
    if (!cell) return;
    const mutant = this.rows[cell[0]], kill = mutant.kills.find((it) => testOf(it) === cell[1]);
    const words = kill === undefined ? "does not kill it" : `differs in ${index.differences[differenceOf(kill)]}`;
    $("matrix-cell").textContent = `${short(mutant.id, 60)} (${mutant.status}) × test #${cell[1] + 1} ${short(tests[cell[1]].name, 120)}: ${short(words, 120)}`;
  },

  open() {
    if (this.cursor) location.hash = `mutant-${encodeURIComponent(this.rows[this.cursor[0]].id)}`;
  },

  keys(event) {
    const move = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (event.key === "Enter") this.open();
    if (!move) return;
    event.preventDefault();
    const within = (value, count) => Math.max(0, Math.min(count - 1, value));
    const [row, test] = this.cursor ?? [0, -1 * move[1]];
    const next = this.cursor ? [within(row + move[0], this.rows.length), within(test + move[1], tests.length)] : [0, 0];
    const { grid, width, height, gutter, head } = this;
    const keep = (at, size, start, room) => (at < start ? at : at + size > start + room ? at + size - room : start);
    grid.scrollTop = keep(next[0] * height, height, grid.scrollTop, grid.clientHeight - head);
    grid.scrollLeft = keep(next[1] * width, width, grid.scrollLeft, grid.clientWidth - gutter);
    this.point(next);
  },
};
