// The files of docs/deploy are what their own programs take, and name only metrics that there are.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stringify } from 'yaml';
import { certificate, key } from '../support/eventstoredb-tls.ts';
import { startTestService, temporaryFolder } from '../support/service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DEPLOY = path.join(ROOT, 'docs/deploy');
const read = (name: string): string => readFileSync(path.join(DEPLOY, name), 'utf8');

const { folder, remove } = temporaryFolder();

const test = suite('docs/deploy');

interface Target {
  readonly expr: string;
}
interface Panel {
  readonly id: number;
  readonly targets: readonly Target[];
}
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(read('dashboard.json'));
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

test('alarms and panels name only metrics that a service has, once it has answered and written', async () => {
  const daybook = await startTestService();
  await daybook.get('/events');
  await daybook.created('editor', 'tags', { name: 'Loud' });
  const { payload } = await daybook.service.app.inject({ url: '/metrics' });
  await daybook.close();
  const known = new Set(payload.split('\n').flatMap((line) => /^[a-z]\w*/.exec(line)?.[0] ?? []));
  const rules = [...read('alerts.yml').matchAll(/^\s+expr: (.*)$/gm)].map(([, expression = '']) => expression);
  assert.ok(rules.length >= 10 && expressions.length >= 10);
  for (const expression of [...rules, ...expressions])
    for (const [name] of expression.matchAll(/\b(?:daybook|nodejs|process)_\w+/g)) assert.ok(known.has(name), name);
});

test('every metric of a whole calendar that can raise an alarm has one', () => {
  const monitored = ['event_store_up', 'read_model_up', 'projection_lag_seconds', 'parked_resources'];
  for (const name of [
    ...monitored,
    'projector_state',
    'schedule_overdue_seconds',
    'set_under_way_seconds',
    'webhook_deliveries_parked',
  ])
    assert.match(read('alerts.yml'), `daybook_${name}`);
});

test('sources and webhooks have panels', () => {
  for (const name of ['source_failing_seconds', 'source_polls_total', 'sources_failing'])
    assert.match(expressions.join(), `daybook_${name}`);
  for (const name of ['deliveries_waiting', 'deliveries_parked', 'waiting_seconds'])
    assert.match(expressions.join(), `daybook_webhook_${name}`);
});

test('panels have numbers of their own', () => {
  assert.is(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
});

/** Registers a test of a program; it is left out, and says so, where the program is missing. */
function withProgram(program: string, rule: string, check: (run: (...args: string[]) => void) => void): void {
  const isThere = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  const run = (...args: string[]): void => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: DEPLOY, encoding: 'utf8' });
    assert.is(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
  };
  if (isThere) test(`${program}: ${rule}`, () => check(run));
  else console.log(`Left out: ${program} is not installed (${rule}).`);
}

/** A file of docs/deploy with some of its text replaced, elsewhere. */
function changed(name: string, replacements: readonly (readonly [what: string, by: string])[]): string {
  let text = read(name);
  for (const [what, by] of replacements) {
    assert.ok(text.includes(what), `${name} has no ${what}`);
    text = text.replaceAll(what, by);
  }
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

withProgram('promtool', 'rules, their tests and the configuration are right', (run) => {
  run('check', 'rules', 'alerts.yml');
  run('test', 'rules', 'alerts.test.yml');
  run('check', 'config', 'prometheus.yml');
});

withProgram('promtool', 'the panels of the dashboard ask what Prometheus understands', (run) => {
  const rules = expressions.map((expression, index) => ({
    record: `panel:${index}`,
    expr: expression.replaceAll('$job', 'daybook').replaceAll('$__rate_interval', '1m'),
  }));
  const file = path.join(folder, 'panels.yml');
  writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
  run('check', 'rules', file);
});

withProgram('nginx', 'its configuration is right', (run) => {
  writeFileSync(path.join(folder, 'fullchain.pem'), certificate);
  writeFileSync(path.join(folder, 'privkey.pem'), key);
  const server = changed('nginx.conf', [['/etc/ssl/calendar/', `${folder}/`]]);
  const whole = path.join(folder, 'whole.conf');
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(whole, `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${own.join('\n')}\ninclude ${server};\n}\n`);
  run('-t', '-q', '-p', folder, '-e', 'stderr', '-c', whole);
});

withProgram('caddy', 'its configuration is right', (run) => {
  run('validate', '--adapter', 'caddyfile', '--config', 'Caddyfile');
});

withProgram('varnishd', 'its configuration is right', (run) => {
  run('-j', 'none', '-C', '-n', folder, '-f', path.join(DEPLOY, 'varnish.vcl'));
});

withProgram('systemd-analyze', 'the unit is right', (run) => {
  const unit = changed('daybook.service', [['/opt/daybook', ROOT]]);
  mkdirSync(path.join(folder, 'home'));
  run('verify', '--man=no', unit);
});

test.after(remove);

test.run();
