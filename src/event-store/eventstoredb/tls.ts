// Whether a server that is asked without TLS would rather be asked with it: the failure itself does not tell.
import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** Shakes hands with one after the other, and sends nothing. `hosts` as in the address; `deadlineMs` for each. */
export async function speaksTls(hosts: string, deadlineMs: number): Promise<boolean> {
  for (const address of hosts.split(', ')) {
    const [host = '', port = ''] = address.split(':');
    if (await shakesHands(host, Number(port), deadlineMs)) return true;
  }
  return false;
}

function shakesHands(host: string, port: number, deadlineMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing is said and nothing believed: whose certificate it is does not matter.
    const socket = connect({ host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) });
    const end = (isTls: boolean): void => {
      socket.destroy();
      resolve(isTls);
    };
    socket.setTimeout(deadlineMs, () => end(false));
    socket.once('secureConnect', () => end(true)).once('error', () => end(false));
  });
}
