import { test } from 'uvu';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { whyProperty } from './why.property.ts';

const server = await startRedisServer();

whyProperty('Redis', () => openRedisReadModel({ url: server.url, fingerprint: 'test' }));

test('the Redis server ends', () => server.stop());

test.run();
