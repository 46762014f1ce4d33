// Opens the reports that `cargo run --example reports` writes, and a committed one, in a headless Chromium, without a network, and checks what they do
// there: nothing goes wrong, filters and links and keys work, diagrams show, and axe finds nothing serious.
//
//   node check.mjs REPORTS CHROMIUM [SCREENSHOTS]

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import Ajv from "ajv";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const [reports, executablePath, screenshots] = process.argv.slice(2);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const read = (...names) => readFileSync(path.join(reports, ...names), "utf8");
const address = (name) => pathToFileURL(path.resolve(reports, name, "report.html")).href;

// Chromium's own sandbox needs rights that containers do not give; the pages are ours.
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

// Opens a report, does something with it, and sees that nothing went wrong meanwhile.
async function visit(name, what, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/willReadFrequently/.test(message.text()) && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
  page.on("dialog", (dialog) => { wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => request.url().split("#")[0] === address(name) || wrong.push(`request: ${request.url()}`));
  await page.goto(address(name) + hash);
  await page.waitForFunction(() => document.getElementById("mutants-count").textContent !== "");
  await what(page);
  await context.close();
  assert.deepEqual(wrong, [], name);
}

async function accessible(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
  const told = serious.map((it) => `${it.id}: ${it.help}\n  ${it.nodes.map((node) => `${node.html.slice(0, 160)} ${node.any.map((any) => any.message).join(" ")}`).join("\n  ")}`);
  assert.deepEqual(told, [], where);
}

const shoot = async (page, name, fullPage = true) => screenshots && page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage });
// Opens a section, as a reader does.
const tab = async (page, id) => { await page.click(`#tabs a[href="#${id}"]`); await page.waitForFunction((id) => !document.getElementById(id).hidden, id); };
const showTree = async (page) => { await tab(page, "tree"); await page.waitForSelector("#tree-list > *"); };
// Whether something can be seen without scrolling, below the header.
const inView = (locator) => locator.evaluate((it) => {
  const box = it.getBoundingClientRect(), head = document.querySelector("header").getBoundingClientRect().bottom;
  return box.height > 0 && box.top >= head - 1 && box.top < innerHeight - 20 && document.elementFromPoint(Math.max(box.left, 0) + 5, box.top + 5)?.closest(`#${CSS.escape(it.id)}`) !== null;
});
const count = (page) => page.textContent("#mutants-count");
const rows = (page) => page.locator("#mutants-list tbody tr:not(.detail)").count();

const checks = {
  async "filters narrow the list, and reset widens it again"() {
    await visit("example", async (page) => {
      await tab(page, "mutants");
      // What nobody has to look at is not shown until somebody asks.
      assert.equal(await count(page), "10 of 12 mutants");
      await page.click("#mutants-hidden");
      assert.equal(await count(page), "12 mutants");
      assert.ok(await page.locator("#mutants-hidden").isHidden());
      for (const status of ["killed", "survived"]) await page.uncheck(`#filter-status input[value=${status}]`);
      assert.equal(await count(page), "6 of 12 mutants");
      assert.equal(await rows(page), 6);
      await page.click("#filters button[type=reset]");
      await page.waitForFunction(() => document.getElementById("mutants-count").textContent === "10 of 12 mutants");
      await page.click("#mutants-hidden");
      await page.selectOption("#filter-family", { label: "guards" });
      assert.equal(await count(page), "3 of 12 mutants");
      await page.fill("#filter-text", "!(FULL");
      assert.equal(await count(page), "1 of 12 mutants");
      await page.fill("#filter-text", "no such thing");
      assert.match(await page.textContent("#mutants-list tbody"), /There are none/);
      await tab(page, "tests");
      await page.selectOption("#filter-phase", { label: "written" });
      assert.equal(await page.textContent("#tests-count"), "2 of 5 tests");
    });
  },

  async "a link opens its mutant with diff, sequence and diagram, whatever the filters"() {
    const id = JSON.parse(read("example", "campaign.json")).details.find((it) => it.status === "survived").id;
    await visit("example", async (page) => {
      const detail = page.locator("tr.detail");
      assert.equal(await detail.count(), 1);
      assert.match(await detail.locator("pre .add").first().textContent(), /full >= 0/);
      assert.equal(await detail.locator(".events li").count(), 6);
      assert.match(await detail.locator(".events li.differs").textContent(), /deposit/);
      const svg = detail.locator("svg.std");
      assert.ok(await svg.isVisible());
      assert.equal(await svg.locator(".std-thread").count(), 8);
      assert.equal(await svg.locator("line.std-pair").count(), 6);
      assert.match(await detail.locator(".std-text.std-differs").textContent(), /accept deposits/);
      await shoot(page, "mutant", false);
      await page.uncheck("#filter-status input[value=survived]");
      await page.evaluate(() => { location.hash = ""; });
      await page.evaluate((id) => { location.hash = `mutant-${id}`; }, id);
      await page.waitForSelector("tr.detail svg.std");
      await page.evaluate(() => { location.hash = "test-2"; });
      await page.waitForSelector("#tests-list tr.detail svg.std");
    }, { hash: `#mutant-${id}` });
  },

  async "a committed report of a real campaign opens, in the light and in the dark"() {
    for (const colorScheme of ["light", "dark"]) {
      await visit("textbook-buffer", async (page) => {
        assert.equal(await count(page), "76 of 142 mutants");
        assert.match(await page.textContent("#summary"), /100\.0 %/);
        await shoot(page, `textbook-buffer-summary-${colorScheme}`);
        for (const id of ["mutants", "matrix", "tree", "tests"]) {
          await tab(page, id);
          if (["mutants", "tests"].includes(id)) await page.locator(`#${id}-list .toggle`).first().click();
          await accessible(page, `textbook-buffer, ${id}, ${colorScheme}`);
          await shoot(page, `textbook-buffer-${id}-${colorScheme}`, false);
        }
        await page.locator("#tests-list svg.std").waitFor();
      }, { colorScheme });
    }
  },

  async "the mouse shows the race set of an event"() {
    await visit("example", async (page) => {
      const svg = page.locator("#tests-list tr.detail svg.std");
      await svg.scrollIntoViewIfNeeded();
      assert.equal(await svg.locator(".std-race").count(), 0);
      // The seventh event is the first accept.
      await page.locator("#tests-list tr.detail .std-text").nth(6).hover();
      assert.match(await page.textContent("#tests-list figcaption"), /races: could have taken 2, 3, 4, 5, 6 instead/);
      assert.equal(await svg.locator(".std-race").count(), 5);
    }, { hash: "#test-1" });
  },

  async "everything can be done with the keyboard"() {
    await visit("example", async (page) => {
      const focused = () => page.evaluate(() => document.activeElement.textContent);
      await tab(page, "mutants");
      const names = await page.locator("#mutants-list .toggle").allTextContents();
      await page.focus("#mutants-list .toggle >> nth=0");
      await page.keyboard.press("ArrowDown");
      assert.equal(await focused(), names[1]);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      assert.equal(await page.locator("tr.detail").count(), 1);
      await page.focus("tr.detail .diagram");
      for (let n = 0; n < 7; n++) await page.keyboard.press("ArrowDown");
      assert.match(await page.textContent("figcaption"), /^7 server: accept deposits.* races: could have taken 3, 5, 2, 4, 6 instead/);
      assert.equal(await page.locator("svg.std .std-race").count(), 5);
      await page.focus("#mutants-list .toggle >> nth=0");
      await page.keyboard.press("Escape");
      assert.equal(await page.locator("tr.detail").count(), 0);
      await tab(page, "matrix");
      await page.focus("#matrix-grid");
      for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
      assert.match(await page.textContent("#matrix-cell"), /^GBS-.* × test #4 .*: differs in feasibility/);
      await page.keyboard.press("Enter");
      await page.waitForSelector("#mutants-list tr.detail");
      assert.match(await page.textContent("#mutants-list tr.open"), /^GBS-/);
    });
  },

  async "a sequence has its race table beside it"() {
    await visit("example", async (page) => {
      const table = page.locator("#tests-list tr.detail .races table");
      // Six accepts, of which each but the last could have taken any later call.
      assert.deepEqual(await table.locator("thead tr:first-child button").allTextContents(), [7, 11, 15, 19, 23].map((n) => `event ${n}`));
      assert.equal(await table.locator("tbody tr").count(), 15);
      assert.equal(await table.locator("thead th[scope=col], tbody th[scope=row]").count(), 7 + 15);
      const cells = (n) => table.locator("tbody tr").nth(n).locator("th, td").allTextContents();
      assert.deepEqual((await cells(0)).slice(0, 4), ["V1", "·as it was", "·as it was", "·as it was"]);
      assert.match((await cells(14)).join(), /^V15,takes \d+,–does not come up,/);
      // The variant that led to the second sequence leads there.
      const lead = table.locator("tbody tr", { has: page.locator("a") });
      assert.equal(await lead.count(), 1);
      assert.match((await lead.locator("th, td").allTextContents()).join(), /^V\d+,·as it was,takes \d+,–.*,#2$/);
      await table.locator("thead button").nth(1).press("Enter");
      assert.match(await page.textContent("#tests-list figcaption"), /^11 server: accept withdrawals.* races: could have taken \d+, /);
      await shoot(page, "test", false);
      await lead.locator("a").click();
      await page.waitForSelector("#test-2 + tr.detail .races table");
      assert.match(await page.textContent("#test-2 + tr.detail"), /Variant of#1 V\d+ changes \d+ server: accept deposits, from \d+ producer2Its variants#3/);
    }, { hash: "#test-1" });
  },

  async "sequences and their variants are a tree"() {
    await visit("example", async (page) => {
      const shown = () => page.locator("#tree-list li > .node > a").allTextContents();
      const focused = () => page.evaluate(() => document.activeElement.textContent);
      await showTree(page);
      assert.deepEqual(await shown(), ["#1", "#2"]);
      assert.match(await page.textContent("#tree-list h3"), /^select 3 sequences$/);
      await page.focus("#tree-list a >> nth=0");
      await page.keyboard.press("ArrowDown");
      assert.equal(await focused(), "#2");
      await page.keyboard.press("ArrowRight");
      assert.deepEqual(await shown(), ["#1", "#2", "#3"]);
      assert.equal(await page.locator("#tree-list .toggle[aria-expanded=true]").count(), 2);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowLeft");
      assert.equal(await focused(), "#2");
      await page.keyboard.press("ArrowLeft");
      assert.deepEqual(await shown(), ["#1", "#2"]);
      await page.keyboard.press("Enter");
      await page.waitForSelector("#test-2 + tr.detail");
    });
    await visit("empty", async (page) => {
      await showTree(page);
      assert.match(await page.textContent("#tree-list"), /There are no sequences/);
    });
    await visit("large", async (page) => {
      assert.equal(await page.textContent("#tree-list"), "");
      await showTree(page);
      assert.match(await page.textContent("#tree-list h3"), /^select 20,000 sequences$/);
      const items = () => page.locator("#tree-list li").count();
      assert.equal(await items(), 52);
      await page.locator("#tree-list button", { hasText: "Show more (" }).press("Enter");
      assert.equal(await items(), 102);
      await page.locator("#tree-list .toggle[aria-expanded=false]").first().press("Enter");
      assert.ok(await items() > 102);
    });
  },

  async "the matrix draws what it is said to hold"() {
    await visit("example", async (page) => {
      await tab(page, "matrix");
      const colours = await page.evaluate(() => {
        const canvas = document.querySelector("#matrix-grid canvas"), pen = canvas.getContext("2d");
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        const pixel = (x, y) => (Math.floor(y * devicePixelRatio) * canvas.width + Math.floor(x * devicePixelRatio)) * 4;
        const at = (row, test) => {
          const start = pixel(matrix.gutter + (test + .5) * matrix.width, matrix.head + (row + .5) * matrix.height);
          return data.slice(start, start + 4).join();
        };
        return matrix.rows.map((mutant, row) => ({ kills: mutant.kills.map(testOf), cells: tests.map((_, n) => at(row, n)) }));
      });
      const empty = colours.find((it) => !it.kills.length).cells[0];
      for (const { kills, cells } of colours) cells.forEach((colour, n) => assert.equal(colour !== empty, kills.includes(n)));
    });
  },

  async "axe finds nothing serious, in the light and in the dark"() {
    for (const colorScheme of ["light", "dark"]) {
      await visit("example", async (page) => {
        await accessible(page, `summary, ${colorScheme}`);
        await tab(page, "mutants");
        for (const n of [0, 3]) await page.locator("#mutants-list .toggle").nth(n).press("Enter");
        await page.locator("details summary").first().press("Enter");
        await accessible(page, `mutants, ${colorScheme}`);
        await shoot(page, `mutants-${colorScheme}`);
        await tab(page, "tests");
        await page.locator("#tests-list .toggle").first().click();
        await accessible(page, `tests, ${colorScheme}`);
        await showTree(page);
        await page.locator("#tree-list .toggle").nth(1).click();
        await accessible(page, `tree, ${colorScheme}`);
        await tab(page, "matrix");
        await accessible(page, `matrix, ${colorScheme}`);
        await shoot(page, `matrix-${colorScheme}`);
      }, { colorScheme });
    }
    for (const name of ["empty", "hostile"]) {
      await visit(name, async (page) => {
        for (const id of ["summary", "mutants", "matrix", "tree", "tests"]) {
          await tab(page, id);
          await accessible(page, `${name}, ${id}`);
        }
      });
    }
  },

  async "a narrow page does not scroll sideways"() {
    for (const name of ["example", "hostile", "empty"]) {
      await visit(name, async (page) => {
        for (const id of ["summary", "mutants", "matrix", "tree", "tests"]) {
          await tab(page, id);
          if (name !== "empty" && ["mutants", "tests"].includes(id)) await page.locator(`#${id}-list .toggle`).first().press("Enter");
          const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(wide <= room, `${name}, ${id} is ${wide} wide and has ${room}`);
          await shoot(page, `narrow-${name}-${id}`, false);
        }
      }, { viewport: { width: 390, height: 844 } });
    }
  },

  async "texts stay texts"() {
    await visit("hostile", async (page) => {
      await tab(page, "mutants");
      if (await page.locator("#mutants-hidden").isVisible()) await page.click("#mutants-hidden");
      const all = await page.locator("#mutants-list .toggle").count();
      for (let n = 0; n < all; n++) await page.locator("#mutants-list .toggle").nth(n).press("Enter");
      await tab(page, "tests");
      for (let n = 0; n < 5; n++) await page.locator("#tests-list .toggle").nth(n).press("Enter");
      assert.ok(await page.locator("svg.std").count() > 0);
      assert.equal(await page.locator("main script, main [onmouseover], main a[href^=javascript]").count(), 0);
      assert.match(await page.textContent("main"), /<\/script><script>alert\(1\)/);
      await shoot(page, "hostile");
    });
  },

  async "nothing to show is said so"() {
    await visit("empty", async (page) => {
      assert.match(await page.textContent("main"), /There are no mutants/);
      assert.equal(await count(page), "0 mutants");
      await tab(page, "matrix");
      assert.ok(await page.locator("#matrix-grid").isHidden());
    });
  },

  // Sections, mutants, tests: whatever a link names is in view after a click, in a page with 2,500 mutants, by fast and slow readers.
  async "every link arrives at its target, among 2,500 mutants"() {
    await visit("wide", async (page) => {
      const seen = { sections: 0, mutants: 0, tests: 0 };
      for (const id of ["mutants", "matrix", "tree", "tests", "summary", "mutants"]) {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        await tab(page, id);
        assert.ok(await inView(page.locator(`#${id}-title`)) || await page.locator(`#${id}-title`).evaluate((it) => it.getBoundingClientRect().top < innerHeight && it.getBoundingClientRect().bottom > 0), id);
        assert.equal(await page.evaluate(() => scrollY), 0, id);
        assert.equal(await page.locator("main > section:visible").count(), 1);
        assert.equal(await page.locator(`#tabs a[aria-current=page]`).getAttribute("href"), `#${id}`);
        seen.sections++;
      }
      // Every mutant, hidden ones included, by its address; in an order that goes back and forth.
      const ids = await page.evaluate(() => mutants.map((it) => `mutant-${it.id}`));
      assert.equal(ids.length, 2500);
      const missed = await page.evaluate(async (ids) => {
        const missed = [], head = document.querySelector("header").getBoundingClientRect().bottom;
        for (let n = 0; n < ids.length; n++) {
          const id = ids[(n * 977) % ids.length];
          location.hash = encodeURIComponent(id);
          await new Promise((done) => { addEventListener("hashchange", done, { once: true }); });
          await new Promise((done) => setTimeout(done));
          const row = document.getElementById(id), box = row?.getBoundingClientRect();
          const arrived = row && box.height > 0 && box.top >= head - 1 && box.bottom <= innerHeight && row.classList.contains("open");
          if (!arrived) missed.push(`${id} at ${box?.top}`);
          // Rows that stay open make the next one start further down.
          if (n % 3 === 0 && row) row.querySelector(".toggle").click();
        }
        return missed;
      }, ids);
      assert.deepEqual(missed, []);
      seen.mutants = ids.length;
      // Links on the page, by clicks: from a mutant to its tests, from a test to its mutants, from the tree to a test.
      await page.click("#tabs a[href='#tests']");
      for (const n of [1, 37, 250, 500]) {
        await page.evaluate((n) => { location.hash = `test-${n}`; }, n);
        await page.waitForSelector(`#test-${n} + tr.detail`);
        assert.ok(await inView(page.locator(`#test-${n}`)), `test ${n}`);
        const links = page.locator(`#test-${n} + tr.detail a[href^="#"]`), count = await links.count();
        for (let at = 0; at < Math.min(count, 4); at++) {
          const target = decodeURIComponent((await links.nth(at).getAttribute("href")).slice(1));
          await links.nth(at).click();
          const row = page.locator(`[id="${target}"]`);
          await page.waitForFunction((id) => document.getElementById(id)?.classList.contains("open"), target);
          assert.ok(await inView(row), `${target} from test ${n}`);
          await page.evaluate((n) => { location.hash = `test-${n}`; }, n);
          await page.waitForFunction((n) => !document.getElementById("tests").hidden && document.getElementById(`test-${n}`)?.nextElementSibling?.classList.contains("detail"), n);
          seen.tests++;
        }
      }
      await showTree(page);
      const leaf = page.locator("#tree-list li > .node > a").nth(20), target = (await leaf.getAttribute("href")).slice(1);
      await leaf.click();
      await page.waitForFunction((id) => document.getElementById(id)?.classList.contains("open"), target);
      assert.ok(await inView(page.locator(`#${target}`)), target);
      // A second click on the same link arrives again.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await tab(page, "tests");
      assert.equal(await page.evaluate(() => scrollY), 0);
      await page.evaluate(() => scrollTo(0, 800));
      await page.click("#tabs a[href='#tests']");
      assert.equal(await page.evaluate(() => scrollY), 0);
      // A cell of the matrix leads to its mutant.
      await tab(page, "matrix");
      await page.evaluate(() => { matrix.grid.scrollTop = 1500; });
      await page.mouse.move(0, 0);
      const box = await page.locator("#matrix-grid").boundingBox();
      await page.mouse.click(box.x + 300, box.y + 200);
      await page.waitForFunction(() => location.hash.startsWith("#mutant-"));
      const id = await page.evaluate(() => decodeURIComponent(location.hash.slice(1)));
      await page.waitForFunction((id) => document.getElementById(id)?.classList.contains("open"), id);
      assert.ok(await inView(page.locator(`[id="${id}"]`)), id);
      console.log(`  ${seen.sections} sections, ${seen.mutants} mutants, ${seen.tests} links of tests`);
    });
  },

  async "the heads of the matrix stay, and its colours are those of its legend"() {
    await visit("wide", async (page) => {
      await tab(page, "matrix");
      const read = () => page.evaluate(() => {
        const { canvas, gutter, head } = matrix, pen = canvas.getContext("2d"), ratio = devicePixelRatio;
        const inked = (x, y, w, h) => { const { data } = pen.getImageData(x * ratio, y * ratio, w * ratio, h * ratio); const colours = new Set(); for (let n = 0; n < data.length; n += 4) colours.add(data.slice(n, n + 3).join()); return colours.size; };
        return [inked(8, head + 2, gutter - 16, 200), inked(gutter + 2, 0, 400, head - 2)];
      });
      for (const [top, left] of [[0, 0], [4000, 300], [1e6, 1e6]]) {
        await page.evaluate(([top, left]) => { matrix.grid.scrollTop = top; matrix.grid.scrollLeft = left; matrix.draw(); }, [top, left]);
        const [names, numbers] = await read();
        assert.ok(names > 2 && numbers > 2, `at ${top}, ${left}: ${names} and ${numbers} colours`);
      }
      await shoot(page, "matrix-wide", false);
      const colours = await page.evaluate(() => [matrix.colours().kinds, index.statuses.map((it) => matrix.colours().of(it))]);
      assert.equal(new Set(colours[0]).size, 3);
      for (const colour of colours[0]) assert.ok(colour !== "" && !colours[1].includes(colour), `${colour} means two things`);
    });
  },

  async "diagrams fit, and their texts stay while the lanes are scrolled"() {
    for (const width of [1280, 390]) {
      await visit("example", async (page) => {
        const box = page.locator("#tests-list tr.detail .diagram").first();
        await box.scrollIntoViewIfNeeded();
        const [fits, text] = await box.evaluate((it) => [it.scrollWidth <= it.clientWidth + 1, it.querySelector(".std-words").getBoundingClientRect().left]);
        if (width === 1280) assert.ok(fits, "it does not fit");
        // The names are above their lanes, and the texts beside them, not on top of them.
        const [corner, texts, lanes, name, lane] = await box.evaluate((it) => {
          const of = (what) => it.querySelector(what).getBoundingClientRect();
          return [of(".std-corner").right, of(".std-texts").right, of("svg.std").left, of(".std-names text").left, of("svg.std .std-thread line").left];
        });
        assert.ok(Math.abs(corner - texts) < 1 && lanes >= texts - 1, `corner ${corner}, texts ${texts}, lanes ${lanes}`);
        assert.ok(Math.abs(name - lane) < 12, `the first name is at ${name}, its lane at ${lane}`);
        await box.evaluate((it) => { it.scrollLeft = 1000; it.scrollTop = 100; });
        const [later, names, top] = await box.evaluate((it) => [it.querySelector(".std-words").getBoundingClientRect().left, it.querySelector(".std-names").getBoundingClientRect().top, it.getBoundingClientRect().top]);
        assert.ok(Math.abs(later - text) < 1, `the texts have moved from ${text} to ${later}`);
        assert.ok(Math.abs(names - top) < 3, `the names have moved by ${names - top}`);
        await shoot(page, `diagram-${width}`, false);
      }, { hash: "#test-1", viewport: { width, height: 844 } });
    }
  },

  async "the page of a check opens without a script, narrow and wide, and is accessible"() {
    for (const name of ["page.html", "hostile.html"]) {
      for (const colorScheme of ["light", "dark"]) {
        for (const width of [1280, 390]) {
          const context = await browser.newContext({ viewport: { width, height: 844 }, offline: true, reducedMotion: "reduce", colorScheme });
          const page = await context.newPage();
          const wrong = [];
          page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
          page.on("request", (request) => request.url().split("#")[0].endsWith(name) || wrong.push(request.url()));
          await page.goto(pathToFileURL(path.resolve(reports, name)).href);
          assert.ok(await page.locator(".diagram svg.std").count() > 0);
          const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(wide <= room, `${name} is ${wide} wide and has ${room}`);
          await page.click("a[href='#program-1']");
          const top = await page.locator("#program-1").evaluate((it) => it.getBoundingClientRect().top);
          assert.ok(top >= 0 && top < 844, `the link leads to ${top}`);
          await accessible(page, `${name}, ${colorScheme}, ${width}`);
          await shoot(page, `${name}-${colorScheme}-${width}`, name === "page.html");
          assert.deepEqual(wrong, [], name);
          await context.close();
        }
      }
    }
  },

  async "a thousand mutants and twenty thousand sequences open like a few"() {
    await visit("large", async (page) => {
      assert.match(await count(page), /^\d+ of 1,000 mutants$/);
      await tab(page, "mutants");
      await page.click("#mutants-hidden");
      assert.equal(await count(page), "1,000 mutants");
      assert.equal(await page.textContent("#tests-count"), "20,000 tests");
      // What nobody has scrolled to is not there yet.
      assert.ok(await page.locator("tr").count() < 1000);
      const opened = await page.evaluate(() => Math.round(performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd));
      console.log(`  opened in ${opened} ms`);
      await page.fill("#filter-text", "part7.rs");
      assert.match(await count(page), /^4[34] of 1,000 mutants$/);
      await page.evaluate(() => { location.hash = "test-19999"; });
      await page.waitForSelector("#tests-list tr.detail svg.std");
      assert.ok(await page.locator("tr").count() < 1000);
      await tab(page, "mutants");
      await page.fill("#filter-text", "");
      await tab(page, "matrix");
      await page.evaluate(() => { const { grid } = matrix; grid.scrollTop = 1e6; grid.scrollLeft = 1e6; });
      await shoot(page, "large", false);
    });
  },

  async "no script and no style is used but the page's own"() {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    await page.goto(address("example"));
    const used = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.injected = true;";
      const text = document.createElement("p");
      text.innerHTML = '<i style="color: red" onclick="window.injected = true">injected</i>';
      document.body.append(script, text);
      text.firstChild.click();
      return [window.injected, text.firstChild.style.color];
    });
    assert.deepEqual(used, [undefined, ""]);
    await context.close();
  },

  async "it can be printed"() {
    await visit("example", async (page) => {
      await tab(page, "mutants");
      await page.locator("#mutants-list .toggle").first().click();
      const pdf = await page.pdf({ format: "A4", ...(screenshots && { path: path.join(screenshots, "print.pdf") }) });
      assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
      await page.emulateMedia({ media: "print" });
      assert.ok(await page.locator("nav").isHidden());
      assert.ok(await page.locator("#filters").isHidden());
      for (const id of ["summary", "mutants", "matrix", "tree", "tests"]) assert.ok(await page.locator(`#${id}`).isVisible(), id);
      // Paper cannot be opened further: the tree is, before it is printed.
      assert.equal(await page.locator("#tree-list li").count(), 3);
      assert.ok(await page.locator(".races table").first().isVisible());
    });
  },

  async "the summary needs no script"() {
    const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
    const page = await context.newPage();
    await page.goto(address("example"));
    assert.match(await page.textContent("#summary"), /57\.1 %/);
    assert.match(await page.locator("noscript").innerText(), /need JavaScript/);
    await context.close();
  },

  async "Stryker's viewer shows our reports"() {
    const viewer = readFileSync(require.resolve("mutation-testing-elements/dist/mutation-test-elements.js"), "utf8");
    const page = await browser.newPage();
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.stack));
    await page.setContent("<mutation-test-report-app title-postfix='insyn'></mutation-test-report-app>");
    await page.addScriptTag({ content: viewer });
    const report = JSON.parse(read("textbook-buffer", "stryker.json"));
    await page.evaluate((report) => { document.querySelector("mutation-test-report-app").report = report; }, report);
    await page.getByRole("link", { name: "lib.rs" }).first().click();
    await page.locator("[data-mutant-id]").first().waitFor({ state: "attached" });
    const shown = await page.locator("[data-mutant-id]").evaluateAll((all) => all.map((it) => it.dataset.mutantId));
    assert.deepEqual([...new Set(shown)].sort(), report.files["src/lib.rs"].mutants.map((it) => it.id).sort());
    assert.deepEqual(wrong, []);
    await page.close();
  },

  async "Stryker's schema allows our reports"() {
    const schema = JSON.parse(readFileSync(require.resolve("mutation-testing-report-schema/mutation-testing-report-schema.json"), "utf8"));
    const fits = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    for (const name of ["example", "empty", "hostile", "large", "wide", "textbook-buffer"]) {
      assert.ok(fits(JSON.parse(read(name, "stryker.json"))), `${name}: ${JSON.stringify(fits.errors)}`);
    }
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
