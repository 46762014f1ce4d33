// The list of tests.

const testList = new List({
  name: "tests",
  key: (test) => `test-${test.n + 1}`,
  cells: (test) => [
    `#${test.n + 1}`,
    make("td", { class: "name" }, short(test.name)),
    make("td", {}, short(index.programs[test.program] ?? "", 80)),
    make("td", {}, short(index.phases[test.phase], 40)),
    make("td", {}, short(test.verdict, 40)),
    make("td", { class: "n" }, String(killedBy()[test.n].length)),
  ],
  detail: testDetail,
});

function testDetail(test) {
  const detail = detailOfTest(test);
  const killed = killedBy()[test.n];
  const variants = variantsOf()[test.n], of = test.of === undefined ? null : make("span", {}, testLink(test.of), ` ${short(changeWords(test), 300)}`);
  return [
    events(detail.sequence, null),
    facts([["Input", detail.input === null ? "" : JSON.stringify(detail.input)], ["Original", detail.original], ["Kills", killed.length ? links(killed, mutantLink) : "no mutant"],
      ["Variant of", of], ["Its variants", variants.length ? links(variants.map((it) => it.n), testLink) : null]]),
    diagram(detail.diagram, `What the original does in test ${test.n + 1}`, undefined, variants),
  ].filter((part) => part !== null);
}

function filterTests() {
  const phase = $("filter-phase").value, program = $("filter-program").value;
  const text = $("filter-test").value.trim().toLowerCase();
  const shown = tests.filter((it) => (phase === "" || it.phase === Number(phase)) && (program === "" || it.program === Number(program)) &&
    (text === "" || `#${it.n + 1} ${it.name}`.toLowerCase().includes(text)));
  testList.show(shown, shown.length === tests.length ? plural(shown.length, "test") : `${shown.length.toLocaleString("en")} of ${plural(tests.length, "test")}`);
}

function startTests() {
  fill("filter-phase", index.phases);
  fill("filter-program", index.programs);
  const form = $("test-filters");
  form.addEventListener("input", filterTests);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filterTests));
  filterTests();
}
