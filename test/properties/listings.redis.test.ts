import { test } from 'uvu';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { FEWER_RUNS, listingsProperty } from './listings.property.ts';

const server = await startRedisServer();

listingsProperty('Redis', () => openRedisReadModel({ url: server.url, fingerprint: 'test' }), FEWER_RUNS);

test('the Redis server ends', () => server.stop());

test.run();
