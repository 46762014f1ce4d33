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

  // Colours come from the style, so that they fit the light and the dark.
  colours() {
    const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(`--${name}`).trim();
    const kinds = ["link", "undecided", "equivalent", "survived", "killed"];
    return { kinds: index.differences.map((_, n) => of(kinds[n % kinds.length])), ink: of("ink"), soft: of("soft"), line: of("line"), raised: of("raised"), ground: of("ground"), of };
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
    this.gutter = this.height >= 12 ? 128 : 8;
    const [wide, high] = [this.gutter + tests.length * this.width, this.rows.length * this.height];
    const none = !this.rows.length || !tests.length;
    this.grid.hidden = none;
    $("matrix-cell").textContent = none ? "There is nothing to show: no mutant of the list above was run with a test." : "";
    this.grid.style.width = `min(100%, ${wide + 2}px)`;
    this.grid.style.height = `min(30rem, ${high + 2}px)`;
    this.spacer.style.width = `${wide}px`;
    this.spacer.style.height = `${high}px`;
    this.grid.setAttribute("aria-label", `Kill matrix: ${plural(this.rows.length, "mutant")} by ${plural(tests.length, "test")}`);
    this.cursor = null;
    this.draw();
  },

  draw() {
    if (this.grid.hidden) return;
    const { grid, canvas, width, height, gutter } = this, ratio = devicePixelRatio || 1;
    const [wide, high] = [grid.clientWidth, grid.clientHeight];
    canvas.width = wide * ratio; canvas.height = high * ratio;
    canvas.style.width = `${wide}px`; canvas.style.height = `${high}px`;
    this.spacer.style.marginTop = `${-high}px`;
    const pen = canvas.getContext("2d"), colours = this.colours();
    pen.scale(ratio, ratio);
    pen.font = "11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    pen.textBaseline = "middle";
    const gap = height > 4 ? 1 : 0, left = grid.scrollLeft, top = grid.scrollTop;
    const first = Math.floor(top / height), last = Math.min(this.rows.length, Math.ceil((top + high) / height));
    for (let row = first; row < last; row++) {
      const mutant = this.rows[row], y = row * height - top;
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
      if (height >= 12) { pen.fillStyle = colours.soft; pen.fillText(short(mutant.id, 17), 9, y + height / 2); }
    }
    if (this.cursor) {
      const [row, test] = this.cursor;
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(gutter + test * width - left - 1, row * height - top - 1, width + 1, height + 1);
    }
  },

  at(event) {
    const box = this.grid.getBoundingClientRect(), { grid, width, height, gutter } = this;
    const row = Math.floor((event.clientY - box.top - 1 + grid.scrollTop) / height);
    const test = Math.floor((event.clientX - box.left - 1 + grid.scrollLeft - gutter) / width);
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
    const { grid, width, height, gutter } = this;
    const keep = (at, size, start, room) => (at < start ? at : at + size > start + room ? at + size - room : start);
    grid.scrollTop = keep(next[0] * height, height, grid.scrollTop, grid.clientHeight);
    grid.scrollLeft = keep(next[1] * width, width, grid.scrollLeft, grid.clientWidth - gutter);
    this.point(next);
  },
};
