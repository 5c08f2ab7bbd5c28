import { test } from 'uvu';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { listingsProperty } from './listings.property.ts';

listingsProperty('SQLite', async () => openSqliteReadModel({ file: ':memory:', fingerprint: 'test' }));

test.run();
