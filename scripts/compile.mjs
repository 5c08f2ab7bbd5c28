// Before `npm pack`: writes what the package has in place of the sources, below lib. Node strips the types of no file under
// node_modules. Lines stay where they are, so that traces name those of the sources. decision 31
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const LIB = path.join(ROOT, 'lib');
/** The name of a source of our own, as `import` and `new URL` have it. */
const SOURCE = /(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g;

const compiled = (text) => stripTypeScriptTypes(text).replace(SOURCE, '$1$2.js$1');

rmSync(LIB, { recursive: true, force: true });
for (const file of globSync('{src,projections}/**/*.*', { cwd: ROOT })) {
  const [from, to] = [path.join(ROOT, file), path.join(LIB, file)];
  mkdirSync(path.dirname(to), { recursive: true });
  if (file.endsWith('.ts')) writeFileSync(to.replace(/ts$/, 'js'), compiled(readFileSync(from, 'utf8')));
  else cpSync(from, to);
}
