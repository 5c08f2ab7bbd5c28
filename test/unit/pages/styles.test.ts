// The styles of the pages: each class and each part of a page that a rule is for is there.
import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('styles of pages');
const SOURCES = new URL('../../../src/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, SOURCES), 'utf8');

/** Classes of libraries, and those that are put together of a word and a number or a state. */
const MADE = /^(?:ec|trix|hue|across|down|days|layout|is)(?:-|$)/;

const code = globSync('**/*.{ts,js}', { cwd: SOURCES }).map(read).join('\n');
const words = new Set([...code.matchAll(/[\w-]+/g)].map(([word]) => word));

for (const file of ['base.css', 'desk.css', 'site.css'])
  test(`${file}: every class and id is one of a page or a script`, () => {
    const style = read(`pages/assets/${file}`).replaceAll(/\/\*.*?\*\//gs, '');
    const selectors = [...style.matchAll(/[^{}]+(?=\{)/g)].join('\n');
    const named = [...selectors.matchAll(/[.#]([a-z][\w-]*)/gi)].map(([, name = '']) => name);
    assert.equal(
      [...new Set(named)].filter((name) => !words.has(name) && !MADE.test(name)),
      [],
    );
  });

test.run();
