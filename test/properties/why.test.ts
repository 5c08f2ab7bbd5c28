import { test } from 'uvu';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { whyProperty } from './why.property.ts';

whyProperty('SQLite', async () => openSqliteReadModel({ file: ':memory:', fingerprint: 'test' }));

test.run();
