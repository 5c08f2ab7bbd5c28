// Node resolves each `import` by itself: it looks for the file, follows links, and looks for the package.json that says what
// it contains. For a path whose ending says that already, an address is enough. Daybook has 5,000 such imports when it serves:
// on a busy machine its start took 1.45 s of processor time with this and 1.68 s without.
import module from 'node:module';

const FORMATS = new Map([
  ['.ts', 'module-typescript'],
  ['.mjs', 'module'],
]);

/** From here on, for modules that are imported by a path relative to their importer. */
export function resolveRelativeImports() {
  module.registerHooks({
    resolve(specifier, context, next) {
      const format = FORMATS.get(specifier.slice(specifier.lastIndexOf('.')));
      if (format === undefined || !specifier.startsWith('.')) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
    },
  });
}
