// In which of a cluster's slots a key lies: the CRC16 (polynomial 1021, most significant bit first, from 0) of its hash
// tag, or of all of it where it has none, modulo the number of slots.

export const SLOTS = 16_384;

const POLYNOMIAL = 0x1021;

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? POLYNOMIAL : 0)) & 0xffff;
  }
  return crc;
}

/** What is between the first `{` and the next `}`, unless that is nothing. */
function hashed(key: string): string {
  const from = key.indexOf('{');
  const to = from < 0 ? -1 : key.indexOf('}', from + 1);
  return to > from + 1 ? key.slice(from + 1, to) : key;
}

export const slotOf = (key: string): number => crc16(Buffer.from(hashed(key))) % SLOTS;
