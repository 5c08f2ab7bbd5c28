// The manifests of docs/deploy are what the API of Kubernetes takes, and start what there is.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/cli/settings.ts';
import { SERVICE_ROLES } from '../../src/service.ts';
import { type Body, temporaryFolder } from '../support/service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DEPLOY = path.join(ROOT, 'docs/deploy');
const FILES = globSync('kubernetes*.yml', { cwd: DEPLOY }).toSorted();

const documentsOf = (file: string): readonly Body[] =>
  parseAllDocuments(readFileSync(path.join(DEPLOY, file), 'utf8'), { merge: true }).map((document) => document.toJS());
const podsOf = (file: string): readonly Body[] => documentsOf(file).flatMap(({ spec }) => spec?.template?.spec ?? []);
const containersOf = (file: string): readonly Body[] => podsOf(file).flatMap(({ containers }) => containers);

const test = suite('manifests for Kubernetes');

test('each document is of its kind, with no member that the kind does not have', () => {
  const { folder, remove } = temporaryFolder();
  const typed = FILES.flatMap(documentsOf).map(({ apiVersion, kind, ...members }, at) => {
    const known = `import type { I${kind} as Kind${at} } from '${ROOT}/node_modules/kubernetes-models/${apiVersion}/index.d.ts';`;
    return `${known}\nexport const document${at}: Kind${at} = ${JSON.stringify({ apiVersion, kind, ...members }, null, 1)};\n`;
  });
  assert.ok(typed.length >= 9, 'both files are read');
  const file = path.join(folder, 'manifests.ts');
  const check = (text: string) => {
    writeFileSync(file, text);
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--types',
      '',
      file,
    ];
    return spawnSync(path.join(ROOT, 'node_modules/.bin/tsc'), options, { encoding: 'utf8' }).stdout;
  };
  assert.is(check(typed.join('')), '');
  assert.match(check(typed.join('').replaceAll('"readinessProbe"', '"redinessProbe"')), 'redinessProbe');
  remove();
});

test('no container may become root, write to its image, or take all memory', () => {
  for (const file of FILES)
    for (const pod of podsOf(file)) {
      assert.is(pod.securityContext.runAsNonRoot, true);
      for (const { securityContext, resources, volumeMounts } of pod.containers) {
        assert.equal([securityContext.readOnlyRootFilesystem, securityContext.allowPrivilegeEscalation], [true, false]);
        assert.ok(resources.limits.memory);
        for (const { name } of volumeMounts) {
          const volumes = [...(pod.volumes ?? []), { name: 'data' }].map((volume: Body) => volume.name);
          assert.ok(volumes.includes(name), `${file}: ${name}`);
        }
      }
    }
});

test('settings, roles and probes are those of Daybook', () => {
  for (const file of FILES) {
    const shared = documentsOf(file).flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }));
    const own = containersOf(file).flatMap(({ env = [] }) => env.map(({ name }: Body) => name));
    assert.equal(
      [...shared, ...own].filter((name) => !SETTINGS.includes(name)),
      [],
      file,
    );
    for (const { args = [], livenessProbe, readinessProbe } of containersOf(file)) {
      assert.ok(args.length === 0 || SERVICE_ROLES.includes(args.at(-1)), args.join(' '));
      assert.is(livenessProbe.httpGet.path, '/healthz');
      if (readinessProbe) assert.is(readinessProbe.httpGet.path, '/readyz');
    }
  }
});

test.run();
