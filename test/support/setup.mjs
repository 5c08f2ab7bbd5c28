// Loaded before every test file: properties draw from one seed, and tests have a time-out.
import { registerHooks } from 'node:module';
import { resolveRelativeImports } from '../../scripts/relative-imports.mjs';
import './seeded-properties.mjs';

resolveRelativeImports();

const WITH_TIME_OUTS = new URL('./uvu-with-time-outs.mjs', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isOurs =
      specifier === 'uvu' && context.parentURL !== WITH_TIME_OUTS && !context.parentURL?.includes('/node_modules/');
    return isOurs ? { url: WITH_TIME_OUTS, shortCircuit: true } : next(specifier, context);
  },
});
