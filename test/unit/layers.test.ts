// Which room may import which. A file of a capability belongs to the room of what it does, by its folder there (`domain`,
// `commands`, …), or by its name (`…-schema.ts`); any other one to the most specific room that holds it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const ROOT = path.resolve(import.meta.dirname, '../..');

const PURE = ['src/domain', 'src/kernel/time', 'src/kernel/text'];
/** Turns, queues and work in common: of no domain, for all that waits. */
const WAITING = 'src/kernel/event-loop';
const LOG = ['src/log', 'src/facts'];
const READING = [...PURE, ...LOG, 'src/people/auth', 'src/read-model', 'src/rendering', WAITING, 'src/kernel/memory'];
const HTTP = ['src/http', 'src/http/schemas', 'src/exchange/feeds', 'src/locales'];

const SERVICE = [
  ...READING,
  ...HTTP,
  'src/commands',
  'src/queries',
  'src/reactions',
  'src/observability',
  'src/calendar/picture/media',
  'src/people/unsaved-forms',
  'src/kernel/outbound',
  'src/exchange/mail',
  'projections',
];

/** Rooms that nothing but the composition root with its `opening` may import. */
const ADAPTERS = ['src/log/sqlite', 'src/log/eventstoredb', 'src/read-model/sqlite', 'src/read-model/redis'];

/** Each room, and the others that it may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/kernel/time': ['src/kernel/text'],
  'src/kernel/text': [],
  [WAITING]: [],
  'src/kernel/memory': [],
  'src/domain': ['src/kernel/time', 'src/kernel/text'],
  'src/kernel/files': [],
  'src/kernel/redis': [],
  // It knows no domain.
  'src/log': ['src/kernel/time', 'src/kernel/text'],
  // What is in the log: whose data it is, what happens to the dates of series, sets as a whole.
  'src/facts': [...PURE, WAITING, 'src/log', 'src/kernel/files', 'src/kernel/redis'],
  'src/log/sqlite': ['src/kernel/time', 'src/kernel/text', 'src/log', WAITING, 'src/kernel/files', 'src/kernel/memory'],
  'src/log/eventstoredb': ['src/kernel/time', 'src/kernel/text', 'src/log'],
  'src/read-model': [...PURE, ...LOG, WAITING, 'src/kernel/memory'],
  'src/read-model/sqlite': [...PURE, 'src/log', WAITING, 'src/read-model', 'src/kernel/files', 'src/kernel/memory'],
  'src/read-model/redis': [...PURE, 'src/log', WAITING, 'src/read-model', 'src/kernel/redis', 'src/kernel/memory'],
  'src/calendar/picture/media': ['src/domain', 'src/kernel/files', 'src/kernel/memory'],
  'src/people/unsaved-forms': [...PURE, 'src/facts', 'src/kernel/files', WAITING],
  'src/kernel/outbound': [],
  'src/exchange/mail': ['src/kernel/files'],
  'src/kernel/settings': PURE,
  'src/rendering': [...PURE, 'src/log'],
  'src/people/auth': [...PURE, WAITING, 'src/read-model'],
  'src/commands': [...PURE, WAITING, ...LOG, 'src/people/auth'],
  projections: [...PURE, ...LOG, 'src/read-model', 'src/rendering', 'src/read-model/projector/control.ts'],
  'src/read-model/projector': [
    ...PURE,
    WAITING,
    'src/kernel/files',
    ...LOG,
    'src/read-model',
    'src/rendering',
    'projections',
    'src/read-model/projector/control.ts',
  ],
  // What operators have told the engine: who replays or copies a log reads it, and never drives the engine.
  'src/read-model/projector/control.ts': ['src/domain', 'src/log'],
  'src/locales': PURE,
  // Of the schemas the types: what a list is asked for is written there alone.
  'src/queries': [...READING, 'src/locales', 'projections', 'src/read-model/projector/control.ts', 'src/http/schemas'],
  'src/observability': [...PURE, ...LOG, 'src/read-model', 'src/kernel/files'],
  'src/reactions': [
    ...PURE,
    ...LOG,
    'src/people/auth',
    'src/read-model',
    'src/commands',
    'src/observability',
    'src/kernel/outbound',
    'src/exchange/mail',
  ],
  'src/exchange/export': [...PURE, ...LOG, 'src/kernel/files', 'projections', 'src/read-model/projector/control.ts'],
  'src/exchange/import': [
    ...PURE,
    WAITING,
    ...LOG,
    'src/people/auth',
    'src/commands',
    'src/exchange/export',
    'src/kernel/outbound',
    'src/kernel/memory',
  ],
  'src/exchange/mcp': PURE,
  'src/http': [...SERVICE, 'src/exchange/import', 'src/exchange/export'],
  'src/http/schemas': [...PURE, 'src/people/auth', 'src/locales'],
  'src/exchange/feeds': [
    ...PURE,
    WAITING,
    'src/kernel/memory',
    'src/http/schemas',
    'src/queries',
    'src/read-model',
    'src/rendering',
    'src/locales',
  ],
  // Never a read model: pages ask the queries that the API asks.
  'src/pages': [
    ...PURE,
    ...HTTP,
    WAITING,
    'src/kernel/memory',
    'src/people/auth',
    'src/people/unsaved-forms',
    'src/queries',
  ],
  'src/cli': [
    ...SERVICE,
    'src/read-model/projector',
    'src/read-model/projector/control.ts',
    'src/exchange/import',
    'src/exchange/export',
    'src/kernel/files',
    'src/exchange/mcp',
    'src/kernel/settings',
    'src',
    'src/composition.ts',
    'src/opening',
  ],
  'src/composition.ts': [
    ...SERVICE,
    ...ADAPTERS,
    'src/read-model/projector',
    'src/exchange/export',
    'src/kernel/files',
    'src/opening',
    'src/kernel/settings',
    'src',
  ],
  'src/opening': [...SERVICE, ...ADAPTERS, 'src/kernel/files', 'src/kernel/settings', 'src'],
  src: [
    ...SERVICE,
    'src/kernel/settings',
    'src/exchange/import',
    'src/pages',
    'src/exchange/mcp',
    'src/read-model/projector',
    'src/cli',
  ],
};

const ROOT_FILES = ['app.ts', 'composition.ts', 'config.ts', 'main.ts', 'service.ts', 'stores.ts', 'version.ts'];

/** Imports that break a rule today, from a file or room to a file or room. The list may only get shorter. */
const EXCEPTIONS: readonly (readonly [from: string, to: string])[] = [];

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Where capabilities lie. */
const AREAS = ['calendar', 'editorial', 'people', 'exchange'];

/** The room of what a file of a capability does. What capabilities share lies in the folder of that name. */
const ROLES: Readonly<Record<string, string>> = {
  domain: 'src/domain',
  commands: 'src/commands',
  queries: 'src/queries',
  reactions: 'src/reactions',
  facts: 'src/facts',
  http: 'src/http',
  desk: 'src/pages',
  pages: 'src/pages',
  cli: 'src/cli',
  export: 'src/exchange/export',
};

function roleOf(file: string): string | undefined {
  const [, area = '', capability = '', folder = ''] = file.split('/');
  if (!AREAS.includes(area)) return undefined;
  if (file.endsWith('-schema.ts')) return 'src/http/schemas';
  return ROLES[folder] ?? (capability === 'sources' ? 'src/exchange/import' : undefined);
}

const roomOf = (file: string): string =>
  roleOf(file) ??
  Object.keys(ROOMS)
    .filter((room) => isWithin(file, room))
    .sort((one, other) => other.length - one.length)[0] ??
  'nowhere';

const isWithin = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);

function filesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(folder, name));
}

function importsOf(from: string): Import[] {
  const text = readFileSync(path.join(ROOT, from), 'utf8');
  const named = text.matchAll(/\b(?:from|import|import\()\s*'(\.[^']+)'|new URL\('(\.[^']+\.ts)'/g);
  return [...named].map(([, module, url]) => ({
    from,
    to: path.posix.join(path.posix.dirname(from), module ?? url ?? ''),
  }));
}

function isAllowed({ from, to }: Import): boolean {
  const [room, other] = [roomOf(from), roomOf(to)];
  return room === other || (ROOMS[room]?.includes(other) ?? false);
}

const isException = ({ from, to }: Import): boolean =>
  EXCEPTIONS.some(([one, other]) => isWithin(from, one) && isWithin(to, other));

const asLine = ({ from, to }: Import): string => `${from} -> ${to}`;

const imports = ['src', 'projections'].flatMap(filesIn).flatMap(importsOf);
const test = suite('layers');

test('every room imports only what its row allows', () => {
  const broken = imports.filter((one) => !isAllowed(one) && !isException(one)).map(asLine);
  assert.equal(broken, []);
});

test('pages name no read model, not even one that queries hold', () => {
  const naming = filesIn('src').filter(
    (file) => roomOf(file) === 'src/pages' && /read-?model/i.test(readFileSync(path.join(ROOT, file), 'utf8')),
  );
  assert.equal(naming, []);
});

test('no exception outlives the import that it was made for', () => {
  const needless = EXCEPTIONS.filter(
    ([from, to]) => !imports.some((one) => isWithin(one.from, from) && isWithin(one.to, to) && !isAllowed(one)),
  );
  assert.equal(needless, []);
});

test('nothing lies loose beside the composition root', () => {
  const loose = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
  assert.equal(loose, ROOT_FILES);
});

/** What Node loads with a file, without what is loaded with that. */
function loadedBy(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^(?:import|export) type [^;]*;/gm, '');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s*'(\.[^']+)'|^import\s*'(\.[^']+)'/gm)].map(
    ([, module, bare]) => path.posix.join(path.posix.dirname(file), module ?? bare ?? ''),
  );
}

/** Files that import each other, types included, one list per circle (Tarjan's strongly connected components). */
function circles(files: readonly string[]): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const { to: next } of importsOf(file)) {
      const reached = order.has(next) ? (open.includes(next) ? (order.get(next) ?? own) : own) : visit(next);
      lowest.set(file, Math.min(lowest.get(file) ?? own, reached));
    }
    if (lowest.get(file) === own) {
      const circle = open.splice(open.indexOf(file)).sort();
      if (circle.length > 1) found.push(circle);
    }
    return lowest.get(file) ?? own;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return found;
}

test('files do not import each other, not even types', () => {
  assert.equal(circles(['src', 'projections'].flatMap(filesIn).filter((file) => !file.endsWith('.d.ts'))), []);
});

/** The modules that Node loads with this one: without those of types alone, and those that are imported when needed. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const next of loadedBy(file)) loadedWith(next, loaded);
  return loaded;
}

/** The commands that answer requests. */
const ANSWERING: readonly string[] = ['src/cli/serve.ts'];

test('only commands that answer requests load the service: all others start in a fraction of its time', () => {
  const commands = filesIn('src').filter((file) => roomOf(file) === 'src/cli' && !ANSWERING.includes(file));
  const slow = ['src/main.ts', ...commands].filter((file) => loadedWith(file).has('src/service.ts'));
  assert.equal(slow, []);
  for (const file of ANSWERING) assert.ok(loadedWith(file).has('src/service.ts'), file);
});

test.run();
