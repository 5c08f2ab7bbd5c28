// What generators of clients make of the document, where one is installed: Kiota by `dotnet tool install --global
// Microsoft.OpenApi.Kiota`; DAYBOOK_TEST_OPENAPI_GENERATOR names the jar of `@openapitools/openapi-generator-cli`, which needs Java.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, startTestService, temporaryFolder } from '../support/service.ts';

const test = suite('generators of clients');
/** Generating takes a minute where others use the machine. */
const LONG_MS = 100_000;

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

function run(program: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', timeout: LONG_MS });
  assert.is(status, 0, `${program} ${words.join(' ')}: ${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

if (isInstalled('kiota') && isInstalled('python3'))
  test('Kiota makes a client in Python of the document, which Python can read', async () => {
    const { folder, remove } = temporaryFolder();
    const service = await startTestService();
    try {
      writeFileSync(path.join(folder, 'openapi.json'), (await service.get('/doc')).text);
      const words = ['-l', 'python', '-d', 'openapi.json', '-o', 'client', '-c', 'Daybook', '-n', 'daybook'];
      const said = run('kiota', ['generate', ...words, '--log-level', 'error'], folder);
      assert.not.match(said, /\b(?:crit|fail|error):/i);
      assert.ok(existsSync(path.join(folder, 'client/daybook.py')));
      assert.ok(globSync('client/**/*.py', { cwd: folder }).length > 100);
      run('python3', ['-m', 'compileall', '-q', 'client'], folder);
    } finally {
      await service.close();
      remove();
    }
  });

const { DAYBOOK_TEST_OPENAPI_GENERATOR: jar = '' } = process.env;
const PATHS = ['/events', '/events/{id}'];

/**
 * The document as 3.0, which the last release of that generator with a jar of its own reads: it makes no class of what may be of
 * several types, so that such a value is anything.
 */
function inOlderWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOlderWords);
  if (value === null || typeof value !== 'object') return value;
  const { anyOf, oneOf, examples, ...rest } = value as Body;
  if (anyOf !== undefined || oneOf !== undefined || Array.isArray(rest.type)) return {};
  const entries = Object.entries({ ...rest, ...(!Array.isArray(examples) && examples && { examples }) });
  return Object.fromEntries(entries.map(([name, one]) => [name, inOlderWords(one)]));
}

/** The paths alone, with the components that they lead to. */
function partOf({ webhooks: _, ...document }: Body): Body {
  const components: { [kind: string]: Body } = { securitySchemes: document.components.securitySchemes };
  const follow = (part: unknown): void => {
    JSON.stringify(part, (name, value) => {
      if (name !== '$ref' || typeof value !== 'string') return value;
      const [, , kind = '', component = ''] = value.split('/');
      const among = components[kind] ?? {};
      if (component in among) return value;
      components[kind] = among;
      among[component] = document.components[kind][component];
      follow(among[component]);
      return value;
    });
  };
  const paths = Object.fromEntries(PATHS.map((one) => [one, document.paths[one]]));
  follow(paths);
  return { ...document, openapi: '3.0.3', paths, components };
}

const PROGRAM = `
import sys
import daybook_client
from daybook_client.api import events_api
url, login, token = sys.argv[1:]
settings = daybook_client.Configuration(host=url, username=login, password=token)
settings.access_token = token
with daybook_client.ApiClient(settings) as client:
    api = events_api.EventsApi(client)
    body = daybook_client.EventsBody(title="Choir", start_date="2031-01-06 19:00:00", end_date="2031-01-06 20:00:00", status="publish")
    made = api.post_events(body)
    print(api.get_events_by_id(made.id).title)
    found = api.get_events(search="Choir", start_date="2031-01-01", end_date="2031-12-31")
    print(found.total, [event.title for event in found.events])
    try:
        api.get_events_by_id(made.id + 1000)
    except daybook_client.exceptions.ApiException as problem:
        print(problem.status)
`;

const hasLibraries = spawnSync('python3', ['-c', 'import urllib3, dateutil, certifi, six']).status === 0;
if (existsSync(jar) && isInstalled('java') && hasLibraries)
  test('a client in Python, made of the document by OpenAPI Generator, writes, reads and lists events', async () => {
    const { folder, remove } = temporaryFolder();
    const service = await startTestService();
    try {
      const origin = await service.service.app.listen({ host: '127.0.0.1', port: 0 });
      const document = inOlderWords(partOf((await service.get('/doc')).body));
      writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(document));
      const words = ['generate', '-g', 'python', '-i', 'openapi.json', '-o', '.', '--package-name', 'daybook_client'];
      run('java', ['-XX:TieredStopAtLevel=1', '-jar', jar, ...words, '--skip-validate-spec'], folder);
      writeFileSync(path.join(folder, 'program.py'), PROGRAM);
      const token = service.authorization('editor').replace('Bearer ', '');
      const program = spawn('python3', ['program.py', `${origin}/calendar/events/v1`, 'editor', token], {
        cwd: folder,
      });
      let said = '';
      for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += text));
      await once(program, 'close');
      assert.is(said, "Choir\n1 ['Choir']\n404\n");
    } finally {
      await service.close();
      remove();
    }
  });

test.run();
