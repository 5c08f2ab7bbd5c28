// What the adapter makes of a server that misbehaves, with the newer client.
await import('../contract/eventstoredb.test.ts');
