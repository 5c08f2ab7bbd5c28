// Lets a thread of a test load TypeScript; the built service needs no such thing.
import { register } from 'tsx/esm/api';

register();
await import('../../src/read-model/sqlite/fill-worker.ts');
