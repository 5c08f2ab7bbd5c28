import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayIn, watchForProxy } from '../../../../src/http/limits/proxy-watch.ts';

const test = suite('a proxy that is not trusted');

function watched(gateway: string | null = null) {
  const reports: string[] = [];
  const watch = watchForProxy({ gateway, report: (why) => reports.push(why) });
  const look = (remoteAddress: string, headers: { readonly [name: string]: string } = {}) =>
    watch.look({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);
  return { watch, look, reports };
}

test('a forwarded request is reported once', () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip']) {
    const { look, reports } = watched();
    look('172.18.0.5', { host: 'cal.example' });
    assert.equal(reports, []);
    for (let turn = 0; turn < 3; turn += 1) look('::ffff:172.18.0.5', { [header]: 'x' });
    assert.is(reports.length, 1);
    assert.match(reports[0] ?? '', `172.18.0.5 carries ${header}`);
    assert.match(reports[0] ?? '', 'DAYBOOK_TRUST_PROXY=1');
  }
});

test('requests through the gateway of the machine are reported, and may be of any client', () => {
  const { watch, look, reports } = watched('172.17.0.1');
  look('172.17.0.9');
  assert.equal(reports, []);
  look('172.17.0.1');
  assert.match(reports[0] ?? '', '172.17.0.1, the gateway');
  assert.is(watch.isShared('172.17.0.1'), true);
  assert.is(watch.isShared('127.0.0.1'), true);
  assert.is(watch.isShared('172.17.0.9'), false);
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
