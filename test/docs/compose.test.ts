import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseDocument } from 'yaml';
import { SETTINGS } from '../../src/cli/settings.ts';
import { readConfig } from '../../src/config.ts';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly platform?: string;
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  readonly depends_on?: { readonly [service: string]: { readonly condition: string } };
  readonly healthcheck?: { readonly [member: string]: unknown; readonly test: readonly string[] };
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

type Shape = 'text' | 'truth' | 'texts' | 'map of texts' | 'map';

/** Members of services that are in use here, with the one notation of each that is written. */
const SERVICE: { readonly [member in keyof Required<Service>]: Shape } = {
  image: 'text',
  build: 'text',
  platform: 'text',
  command: 'texts',
  profiles: 'texts',
  ports: 'texts',
  volumes: 'texts',
  environment: 'map of texts',
  depends_on: 'map',
  healthcheck: 'map',
  restart: 'text',
  stop_grace_period: 'text',
  init: 'truth',
  read_only: 'truth',
  tmpfs: 'texts',
  cap_drop: 'texts',
  security_opt: 'texts',
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

const SHAPES: { readonly [shape in Shape]: (value: unknown) => boolean } = {
  text: isText,
  truth: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  'map of texts': (value) => isMap(value) && Object.values(value).every(isText),
  map: isMap,
};

const document = parseDocument(read('docker-compose.yml'), { merge: true, uniqueKeys: true });
// The first test holds what is read against the interface.
const file = document.toJS() as {
  readonly services: { readonly [name: string]: Service };
  readonly volumes: { readonly [name: string]: null };
};

const serviceNamed = (name: string): Service => {
  const found = file.services[name];
  if (!found) throw new Error(`there is no service ${name}`);
  return found;
};

/** A value as Compose hands it over when nothing has been set: `${NAME:-default}` is the default. */
const unset = (value: string): string => value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

const matchesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

const STORES = ['eventstoredb', 'redis'];
const CLUSTERED = ['api-1', 'api-2', 'projector'];
const EMBEDDED = 'daybook';
const PROCESSES = [...CLUSTERED, EMBEDDED];
const all = Object.entries(file.services);

const DURATION = /^(?:\d+m)?(?:\d+s)?$/;

const compose = suite('docker-compose.yml');

compose('it is sound YAML whose services have known members of the right form only', () => {
  assert.equal(document.errors, []);
  assert.equal(document.warnings, []);
  const top = Object.keys(file).filter((member) => !member.startsWith('x-'));
  assert.equal(top.sort(), ['services', 'volumes']);
  for (const [name, service] of all) {
    for (const [member, value] of Object.entries(service)) {
      const shape = Object.entries(SERVICE).find(([known]) => known === member)?.[1];
      assert.ok(shape && SHAPES[shape](value), `${name}: ${member}`);
    }
  }
});

/** Whichever Compose is at hand: neither needs a Docker engine to check a file. */
const [tool] = [['docker', 'compose'] as const, ['docker-compose'] as const].filter(
  ([program, ...words]) => spawnSync(program, [...words, 'version']).status === 0,
);
if (tool)
  compose('Compose itself accepts it, with and without the profile', () => {
    const [program, ...words] = tool;
    for (const profile of [[], ['--profile', 'embedded']]) {
      const checked = spawnSync(program, [...words, ...profile, 'config', '-q'], { cwd: root, encoding: 'utf8' });
      assert.is(checked.status, 0, checked.stderr);
    }
  });

compose('without a profile all of the production shape starts, with it one process by itself', () => {
  const byDefault = all.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
  assert.equal(byDefault.sort(), [...STORES, ...CLUSTERED].sort());
  assert.equal(serviceNamed(EMBEDDED).profiles, ['embedded']);
  assert.is(serviceNamed(EMBEDDED).depends_on, undefined);
});

compose('the roles are one projector and two APIs, which otherwise are the same', () => {
  assert.equal(serviceNamed('projector').command, ['serve', '--role', 'projector']);
  for (const name of ['api-1', 'api-2']) assert.equal(serviceNamed(name).command, ['serve', '--role', 'api']);
  assert.equal(serviceNamed(EMBEDDED).command, ['serve']);
  const settings = CLUSTERED.map((name) => serviceNamed(name).environment);
  for (const each of settings) assert.equal(each, settings[0]);
});

compose('every process is built here, under a name of its own that no registry is asked for', () => {
  for (const name of PROCESSES) {
    assert.is(serviceNamed(name).build, '.', name);
    assert.is(serviceNamed(name).image, undefined, name);
  }
});

compose('images of others can be set, and are pinned to a line of versions', () => {
  for (const name of STORES) {
    const { image = '' } = serviceNamed(name);
    assert.match(image, /^\$\{[A-Z_]+_IMAGE:-/);
    assert.match(unset(image), /^[a-z]+(?:\/[a-z]+)?:\d+\.\d+(?:[.-].+)?$/);
  }
});

compose('every service comes back by itself, and ends in good order', () => {
  for (const [name, { restart, stop_grace_period: grace }] of all) {
    assert.is(restart, 'unless-stopped', name);
    assert.match(grace ?? '', /^\d+s$/, name);
  }
});

compose('stores are asked whether they live, and processes as their image says', () => {
  for (const name of PROCESSES) assert.is(serviceNamed(name).healthcheck, undefined, name);
  for (const name of STORES) {
    const check = serviceNamed(name).healthcheck ?? { test: [] };
    assert.equal(Object.keys(check).sort(), ['interval', 'retries', 'start_period', 'test', 'timeout'], name);
    for (const member of ['interval', 'timeout', 'start_period'])
      assert.match(String(check[member]), DURATION, `${name}: ${member}`);
    assert.match(check.test[0] ?? '', /^CMD(?:-SHELL)?$/, name);
  }
});

compose('processes write to volumes and /tmp alone, and may do nothing that only root may', () => {
  for (const name of PROCESSES) {
    const { read_only: isReadOnly, tmpfs, cap_drop: dropped, security_opt: security } = serviceNamed(name);
    assert.equal([isReadOnly, tmpfs, dropped, security], [true, ['/tmp'], ['ALL'], ['no-new-privileges:true']], name);
  }
});

compose('services wait until the ones that they need are healthy', () => {
  for (const [name, { depends_on: needed = {} }] of all) {
    for (const [other, { condition }] of Object.entries(needed)) {
      assert.is(condition, 'service_healthy', `${name} → ${other}`);
      assert.ok(serviceNamed(other).healthcheck, `${name} → ${other}`);
    }
  }
  for (const name of CLUSTERED) assert.equal(Object.keys(serviceNamed(name).depends_on ?? {}).sort(), STORES, name);
});

compose(
  'every mount is a declared volume, every declared volume is mounted, and only the keys by more than one service',
  () => {
    const mounts = all.flatMap(([, { volumes = [] }]) => volumes.map((volume) => unset(volume).split(':')));
    for (const mount of mounts) assert.ok(mount.length === 2 && mount[1]?.startsWith('/'), mount.join(':'));
    const names = mounts.map(([volume]) => volume);
    const once = names.filter((volume, index) => volume !== 'keys' || names.indexOf(volume) === index);
    assert.equal(once.sort(), Object.keys(file.volumes).sort());
    for (const name of CLUSTERED) {
      assert.ok(serviceNamed(name).volumes?.includes('keys:/data'), name);
      assert.equal(readConfig(settingsOf(name)).keys, { engine: 'sqlite', file: '/data/keys.db' });
    }
    for (const [name, options] of Object.entries(file.volumes)) assert.is(options, null, name);
  },
);

compose('what must last lies in volumes', () => {
  assert.ok(serviceNamed('eventstoredb').volumes?.map(unset).includes('eventstoredb:/var/lib/kurrentdb'));
  assert.ok(serviceNamed('redis').volumes?.includes('redis:/data'));
  const embedded = serviceNamed(EMBEDDED);
  assert.ok(embedded.volumes?.includes(`daybook:${embedded.environment?.DAYBOOK_DATA_DIR}`));
});

compose('ports are bound to this machine alone, each to one service, and the stores have none', () => {
  const published = all.flatMap(([, { ports = [] }]) => ports);
  for (const port of published) assert.match(port, /^127\.0\.0\.1:\d+:8080$/);
  assert.is(new Set(published).size, published.length);
  assert.equal(serviceNamed('api-1').ports, ['127.0.0.1:8080:8080']);
  assert.equal(serviceNamed('api-2').ports, ['127.0.0.1:8081:8080']);
  for (const name of [...STORES, 'projector']) assert.is(serviceNamed(name).ports, undefined, name);
});

compose(
  'the event store is one node that keeps its data on disk, without TLS and without projections of its own',
  () => {
    const settings = { CLUSTER_SIZE: '1', INSECURE: 'true', RUN_PROJECTIONS: 'None' };
    const named = ['KURRENTDB', 'EVENTSTORE'].flatMap((version) =>
      Object.entries(settings).map(([name, value]) => [`${version}_${name}`, value] as const),
    );
    assert.equal(serviceNamed('eventstoredb').environment, Object.fromEntries(named));
  },
);

compose('Redis keeps a log on disk and evicts nothing', () => {
  assert.equal(serviceNamed('redis').command, ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction']);
});

const settingsOf = (name: string): { readonly [setting: string]: string } =>
  Object.fromEntries(
    Object.entries(serviceNamed(name).environment ?? {}).map(([setting, value]) => [setting, unset(value)]),
  );

compose('processes are given settings that exist, under values that can be used', () => {
  const known = [...read('src/config.ts').matchAll(/value\('([A-Z_]+)'\)/g)].map(([, setting]) => setting);
  assert.ok(known.length > 0);
  for (const name of PROCESSES) {
    const settings = settingsOf(name);
    const unknown = Object.keys(settings).filter((setting) => !known.includes(setting));
    assert.equal(unknown, [], name);
    assert.is(readConfig(settings).host, '0.0.0.0');
    assert.is(readConfig(settings).port, 8080);
  }
});

/** Of commands that ask a service. */
const OF_CLIENTS = ['DAYBOOK_URL', 'DAYBOOK_TOKEN'];

compose('every setting can be given to every process', () => {
  for (const name of PROCESSES) {
    const given = Object.keys(serviceNamed(name).environment ?? {});
    const own = ['DAYBOOK_DATA_DIR', 'DAYBOOK_EVENT_STORE', 'DAYBOOK_READ_MODEL', 'DAYBOOK_KEYS'];
    const missing = SETTINGS.filter((setting) => ![...given, ...own, ...OF_CLIENTS].includes(setting));
    assert.equal(missing, [], name);
  }
});

compose('values that may be set outside go to the setting of the same name', () => {
  for (const name of PROCESSES) {
    for (const [setting, value] of Object.entries(serviceNamed(name).environment ?? {})) {
      const [, outside = setting] = /^\$\{(\w+):-/.exec(value) ?? [];
      assert.is(outside, setting);
    }
  }
});

compose('the processes of the production shape use the stores beside them', () => {
  for (const name of CLUSTERED) {
    const { DAYBOOK_EVENT_STORE: store = '', DAYBOOK_READ_MODEL: model = '' } = settingsOf(name);
    assert.is(store, 'esdb://eventstoredb:2113?tls=false');
    assert.is(model, 'redis://redis:6379');
    assert.is(readConfig(settingsOf(name)).eventStore.engine, 'eventstoredb');
    assert.is(readConfig(settingsOf(name)).readModel.engine, 'redis');
  }
  assert.is(readConfig(settingsOf(EMBEDDED)).eventStore.engine, 'sqlite');
});

/** What follows a word of the Dockerfile, a line that goes on as one. */
const instructions = (word: string): string[] =>
  read('Dockerfile')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));

const stages = read('Dockerfile')
  .split(/^(?=FROM )/m)
  .slice(1);
const copiedIn = (stage: string): string[] =>
  stage.split('\n').flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);

compose('the image is built of what it is given, and that starts', () => {
  const letIn = matchesIn(read('.dockerignore'), /^!(.+)$/gm);
  assert.equal([...new Set(stages.flatMap(copiedIn))].sort(), letIn.sort());
  const { folder, remove } = temporaryFolder();
  try {
    for (const name of copiedIn(stages.at(-1) ?? ''))
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const [words = '[]'] = instructions('ENTRYPOINT');
    const [program, file = ''] = JSON.parse(words) as string[];
    assert.is(program, 'node');
    const entry = path.join(folder, path.relative('/app', file));
    const { stdout, stderr } = spawnSync(process.execPath, [entry, '--version'], { encoding: 'utf8' });
    assert.is(`${stdout}${stderr}`, `${VERSION}\n`);
  } finally {
    remove();
  }
});

compose('the image runs as a user without rights, given by number', () => {
  const last = stages.at(-1) ?? '';
  assert.match(last, /^USER 1000:1000$/m);
  assert.ok(last.lastIndexOf('\nUSER ') > last.lastIndexOf('\nRUN '));
  assert.match(last, /^RUN mkdir -m 0700 \/data && chown 1000:1000 \/data$/m);
});

compose('the health of the image is its liveness, asked by code that Node can read, without a shell', () => {
  const [health = ''] = instructions('HEALTHCHECK');
  const [, words = '[]'] = /CMD (\[.+\])$/.exec(health) ?? [];
  const [program, flag, code = '', ...more] = JSON.parse(words) as string[];
  assert.equal([program, flag, more], ['node', '-e', []]);
  assert.match(code, "'/healthz'");
  assert.not.throws(() => new Function(code));
  for (const word of ['ENTRYPOINT', 'CMD']) for (const one of instructions(word)) assert.match(one, /^\[.+\]$/);
});

compose('images of the build are pinned to a line of versions', () => {
  for (const image of instructions('FROM')) assert.match(image, /^[a-z]+:(?:\d+-)?bookworm-slim(?: AS \w+)?$/);
});

compose('the documented backup and restore of the event store name the folder that is its volume', () => {
  const mounts = serviceNamed('eventstoredb').volumes ?? [];
  const [folder = ''] = mounts.flatMap((mount) => /^eventstoredb:(.+)$/.exec(unset(mount))?.[1] ?? []);
  const commands = read('docs/operations/back-up.md').match(/(?:-C|cd) \/var\/lib\/\S+/g) ?? [];
  assert.equal(commands, [`-C ${folder}`, `cd ${folder}`]);
});

compose.run();
