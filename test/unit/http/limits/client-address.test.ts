import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientAddress, gatewayIn, isOwnMachine } from '../../../../src/http/limits/client-address.ts';

const test = suite('addresses of clients');

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const message = new IncomingMessage(socket);
  if (forwarded !== undefined) message.headers['x-forwarded-for'] = forwarded;
  return message;
}

test('without a trusted proxy the connection decides, whatever the client sends', () => {
  assert.is(clientAddress(from('203.0.113.9', '198.51.100.1'), 'own'), '203.0.113.9');
});

test('a trusted proxy names the client last; earlier entries may be forged', () => {
  assert.is(clientAddress(from('127.0.0.1', '10.9.8.7, 198.51.100.1'), 'named'), '198.51.100.1');
  assert.is(clientAddress(from('10.0.0.2', '198.51.100.1, 127.0.0.1'), 'named'), '198.51.100.1', 'a second proxy here');
});

test('a trusted proxy without a valid address counts as the client itself', () => {
  for (const said of [undefined, '', 'unknown', '198.51.100.1, _hidden', '1.2.3.4,'.repeat(400)])
    assert.is(clientAddress(from('10.0.0.2', said), 'named'), '10.0.0.2', said);
});

test('a port and brackets belong to no address', () => {
  assert.is(clientAddress(from('10.0.0.2', '198.51.100.1:4711'), 'named'), '198.51.100.1');
  assert.is(clientAddress(from('10.0.0.2', '[2001:db8:1:2:3::4]:4711'), 'named'), '2001:db8:1:2::');
});

test('an IPv6 client is identified by its network, an IPv4 address in IPv6 by the address', () => {
  assert.is(clientAddress(from('2001:db8:1:2:aaaa::1'), 'own'), clientAddress(from('2001:db8:1:2:bbbb::2'), 'own'));
  assert.is.not(clientAddress(from('2001:db8:1:2::1'), 'own'), clientAddress(from('2001:db8:1:3::1'), 'own'));
  assert.is(clientAddress(from('::ffff:203.0.113.9'), 'own'), '203.0.113.9');
});

test('this machine is recognised in every notation', () => {
  for (const own of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
    assert.ok(isOwnMachine(clientAddress(from(own), 'own')), own);
  for (const other of ['203.0.113.9', '::2', '12.7.0.1', ''])
    assert.not.ok(isOwnMachine(clientAddress(from(other), 'own')), other);
});

test('the gateway is read from the routing table, in the byte order of the machine', () => {
  const table =
    'Iface\tDestination\tGateway \tFlags\tRefCnt\n' +
    'eth0\t000011AC\t00000000\t0001\t0\neth0\t00000000\t010011AC\t0003\t0\n';
  assert.is(gatewayIn(table, 'LE'), '172.17.0.1');
  assert.is(gatewayIn(table.replace('010011AC', 'AC110001'), 'BE'), '172.17.0.1');
  assert.is(gatewayIn('Iface\tDestination\tGateway\neth0\t000011AC\t00000000\n', 'LE'), null);
  assert.is(gatewayIn('', 'LE'), null);
});

test.run();
