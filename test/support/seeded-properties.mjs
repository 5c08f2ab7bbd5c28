// Loaded before the tests: every property draws from one seed, so that a run can be repeated as it was.
import fc from 'fast-check';

const SEED = 20_270_314;

fc.configureGlobal({ seed: Number(process.env.DAYBOOK_PROPERTY_SEED ?? SEED) });
