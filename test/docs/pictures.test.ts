// Every file of the project that is not text can be read as what its name says: a tool that rewrites texts destroys it
// without a word.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What git ignores, and git itself. */
const ELSEWHERE = new Set(['.git', 'node_modules', 'data', 'coverage', 'lib']);
const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;
const PACKED = /\.gz$/i;

const test = suite('files that are not text');

const files = readdirSync(ROOT)
  .filter((entry) => !ELSEWHERE.has(entry))
  .flatMap((entry) =>
    statSync(path.join(ROOT, entry)).isDirectory()
      ? readdirSync(path.join(ROOT, entry), { recursive: true, encoding: 'utf8' }).map((name) => path.join(entry, name))
      : [entry],
  )
  .filter(
    (file) =>
      !/(?:^|\/)(?:node_modules|\.vitepress)\//.test(file.replaceAll(path.sep, '/')) &&
      statSync(path.join(ROOT, file)).isFile(),
  );
const pictures = files.filter((file) => PICTURE.test(file));

/** Names of files that git must leave as they are. */
const binary = readFileSync(path.join(ROOT, '.gitattributes'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\*(\.\w+) binary$/.exec(line)?.[1] ?? []);

test('each picture can be decoded to its last line', async () => {
  assert.ok(pictures.length > 0);
  for (const picture of pictures) {
    const decoded = sharp(path.join(ROOT, picture), { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
    const info = await decoded.then(
      (all) => all.info,
      (error) => error,
    );
    assert.ok(info.width > 0 && info.height > 0, `${picture}: ${info}`);
  }
});

test('each packed file can be unpacked', () => {
  for (const file of files.filter((one) => PACKED.test(one)))
    assert.not.throws(() => gunzipSync(readFileSync(path.join(ROOT, file))), undefined, file);
});

test('each picture that a text shows is there', () => {
  for (const file of files.filter((one) => one.endsWith('.md')))
    for (const [, target = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(/!\[[^\]]*\]\(([^):]+)\)/g))
      assert.ok(pictures.includes(path.join(path.dirname(file), target)), `${file} shows ${target}`);
});

test('git never converts what has a byte of zero', () => {
  for (const file of files.filter((one) => !binary.includes(path.extname(one))))
    assert.not(readFileSync(path.join(ROOT, file)).includes(0), `${file}: its name is not in .gitattributes`);
});

test.run();
