import { test } from 'uvu';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { listingsProperty } from './listings.property.ts';

// So that random calendars have filters with few candidates and with many.
const few = 3;

listingsProperty('SQLite', async () => openSqliteReadModel({ file: ':memory:', fingerprint: 'test', few }));

test.run();
