import { sourcesContract } from './sources.contract.ts';

sourcesContract('SQLite', async () => ({ environment: {}, close: async () => {} }));
