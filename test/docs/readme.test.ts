import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const pages = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

const matches = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort();

const SETTING = /\b(PORT|HOST|DAYBOOK_[A-Z_]*[A-Z])\b/g;

/** Names of settings in strings of the code: `value('PORT')`. */
const settingsRead = matches(read('src/config.ts'), /value\('([A-Z_]+)'\)/g);

/** Names at the beginning of a row of a table: `| \`PORT\` | …`. */
const rowsOf = (file: string): string[] => matches(read(file), /^\| `([^`]+)` \|/gm);

/** All that is between blanks counts, also in code and in tables. */
const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const isSetting = (name: string): boolean => /^(PORT|HOST|DAYBOOK_\w+)$/.test(name);

const docs = suite('documentation');

/** The anchor of a heading, as readers of Markdown make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

docs('every link to a heading leads to one', () => {
  for (const page of pages) {
    const links = matches(read(page), /\]\(((?:[^)\s:]+\.md)?#[^)\s]+)\)/g);
    const missing = links.filter((link) => {
      const [file = '', anchor = ''] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      return !matches(read(target), /^#+ (.+)$/gm)
        .map(anchorOf)
        .includes(anchor);
    });
    assert.equal(missing, [], page);
  }
});

docs('every relative link leads to a file', () => {
  for (const page of pages) {
    const targets = matches(read(page), /\]\(([^)\s]+)\)/g).filter((target) => !/^(?:[a-z]+:|#)/.test(target));
    const missing = targets.filter(
      (target) => !existsSync(path.join(root, path.dirname(page), target.replace(/#.*$/, ''))),
    );
    assert.equal(missing, [], page);
  }
});

const linkedPages = (page: string): string[] =>
  matches(read(page), /\]\(([^)\s:#]+\.md)[)#]/g).map((target) => path.join(path.dirname(page), target));

docs('every page is reached from the README by links', () => {
  const reached = new Set<string>();
  const open = ['README.md'];
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    if (reached.has(page)) continue;
    reached.add(page);
    open.push(...linkedPages(page).filter((target) => existsSync(path.join(root, target))));
  }
  assert.equal(
    pages.filter((page) => !reached.has(page)),
    [],
  );
});

docs('every test that a page names exists', () => {
  for (const page of pages.filter((name) => !name.startsWith('docs/decisions/'))) {
    const named = matches(read(page), /`(test\/[\w./-]+)`/g);
    const missing = named.filter(
      (name) => !['', '.ts', '.test.ts'].some((ending) => existsSync(path.join(root, `${name}${ending}`))),
    );
    assert.equal(missing, [], page);
  }
});

docs('every path of the sources that the pages for contributors name leads somewhere', () => {
  for (const page of ['AGENTS.md', 'CONTRIBUTING.md']) {
    const named = matches(read(page), /`((?:src|test|projections|scripts|bin|docs)\/[\w./-]+)`/g);
    const missing = named.filter(
      (name) => !['', '.ts', '.test.ts'].some((end) => existsSync(path.join(root, name + end))),
    );
    assert.equal(missing, [], page);
  }
});

docs('every pattern of tests that contributors are told to run matches a file', () => {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const tests = files.filter((name) => name.endsWith('.test.ts')).map((name) => name.split(path.sep).join('/'));
  const patterns = matches(read('CONTRIBUTING.md'), /npm run test:one ((?!PATTERN)[^`|\n]+)/g).flatMap((all) =>
    all.split(' '),
  );
  assert.ok(patterns.length > 5);
  const idle = patterns.filter((one) => one !== '' && !tests.some((name) => new RegExp(one, 'i').test(name)));
  assert.equal(idle, []);
});

docs('the page for contributors is read in ten minutes', () => {
  assert.ok(wordsOf(read('CONTRIBUTING.md')) <= 2_000);
});

docs('the README has at most 120 lines', () => {
  assert.ok(read('README.md').trimEnd().split('\n').length <= 120);
});

docs('the site has every guide in its menu', () => {
  const config = read('site/.vitepress/config.mjs');
  const [, groups = ''] = /const GROUPS = \{([\s\S]*?)\n\};/.exec(config) ?? [];
  const shown = matches(groups, /'([\w/-]+)'/g).map((name) =>
    existsSync(path.join(root, `docs/${name}.md`)) ? `docs/${name}.md` : `docs/operations/${name}.md`,
  );
  const guides = pages.filter((page) => /^docs\/(?!decisions\/\d|operations\/README)/.test(page));
  assert.equal(
    guides.filter((page) => !shown.includes(page)),
    [],
  );
  assert.equal(
    shown.filter((page) => !existsSync(path.join(root, page))),
    [],
  );
});

docs('the site has every page that its pages link', () => {
  const [, excluded = ''] = /srcExclude: \[([^\]]*)\]/.exec(read('site/.vitepress/config.mjs')) ?? [];
  const patterns = matches(excluded, /'([^']+)'/g);
  assert.ok(patterns.length > 3);
  for (const page of pages) {
    const targets = matches(read(page), /\]\(([^):\s#]+\.md)(?:#[^)\s]*)?\)/g).map((link) =>
      path.join(path.dirname(page), link),
    );
    const left = targets.filter((target) => patterns.some((pattern) => path.matchesGlob(target, pattern)));
    assert.equal(left, [], page);
  }
});

const records = pages.filter((page) => /^docs\/decisions\/\d/.test(page));

docs('decisions are numbered without gaps, and each has its parts and a row in the index', () => {
  const index = read('docs/decisions/README.md');
  for (const [at, page] of records.entries()) {
    const name = path.basename(page);
    assert.is(Number(name.slice(0, 2)), at + 1, page);
    const text = read(page);
    assert.match(text, new RegExp(`^# ${at + 1}\\. `), page);
    for (const heading of ['Decision', 'Why', 'Tried or considered, and lost', 'Consequences'])
      assert.match(text, `\n## ${heading}\n\n`, page);
    assert.match(index, `| [${at + 1}](${name}) |`, page);
  }
  assert.is([...index.matchAll(/^\| \[\d+\]/gm)].length, records.length);
});

/** The code that decisions rule. */
const code = globSync('{src,projections,scripts,bin}/**/*.{ts,mjs,js,lua}', { cwd: root }).sort();

docs('every decision is named by the code that it rules, and every decision that code names exists', () => {
  const named = new Set(code.flatMap((file) => matches(read(file), /\bdecision (\d+)\b/gi)));
  assert.equal(
    [...named].map(Number).sort((one, other) => one - other),
    records.map((_, at) => at + 1),
  );
});

docs('every decision that a page names by its number is the one that it links', () => {
  for (const page of pages)
    for (const [link, number = '', target = ''] of read(page).matchAll(/\[decision (\d+)\]\(([^)]+)\)/gi))
      assert.is(Number(path.basename(target).slice(0, 2)), Number(number), `${page}: ${link}`);
});

docs('a decision has at most 350 words besides its tables', () => {
  const long = records.filter((page) => wordsOf(read(page).replace(/^\|.*$/gm, '')) > 350);
  assert.equal(long, []);
});

docs('the page on architecture begins with its picture and has at most 1,500 words', () => {
  const text = read('docs/architecture.md');
  assert.match(text, /^# Architecture\n\n```\n/);
  assert.ok(wordsOf(text) <= 1_500, `${wordsOf(text)} words`);
});

docs('the guides have at most 30,000 words together', () => {
  const guides = pages.filter((page) => /^docs\/(?!decisions\/|figures\.md$)/.test(page));
  const words = guides.map((page) => wordsOf(read(page))).reduce((sum, count) => sum + count, 0);
  assert.ok(words <= 30_000, `${words} words`);
});

docs('the table of settings has exactly those that the configuration reads', () => {
  assert.ok(settingsRead.length > 0);
  assert.equal(rowsOf('docs/operations/configure.md').filter(isSetting), settingsRead);
});

/** What tests and scripts read besides: `process.env.DAYBOOK_PROPERTY_SEED`. */
const settingsOfTests = ['test', 'scripts']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.m?[jt]s$/.test(file))
  .flatMap((file) => matches(read(file), /(?:process\.env\.|\b(?=DAYBOOK_TEST_))(DAYBOOK_[A-Z_]*[A-Z])\b/g));

docs('no page names a setting that does not exist', () => {
  const known = [...settingsRead, ...settingsOfTests];
  for (const page of pages) {
    const unknown = matches(read(page), SETTING).filter((name) => !known.includes(name));
    assert.equal(unknown, [], page);
  }
});

docs('every dependency has a row with its reason, and no row is left over', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as {
    readonly dependencies: { readonly [name: string]: string };
    readonly optionalDependencies: { readonly [name: string]: string };
    readonly devDependencies: { readonly [name: string]: string };
  };
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort();
  assert.equal(rowsOf('docs/dependencies.md'), names);
});

docs('settings that the container is given exist', () => {
  for (const file of ['docker-compose.yml', 'Dockerfile']) {
    const unknown = matches(read(file), SETTING).filter((name) => !settingsRead.includes(name));
    assert.equal(unknown, [], file);
  }
});

docs.run();
