// What the connection string may say, and what the check at start makes of the server behind it, with the newer client.
await import('../contract/eventstoredb-start.test.ts');
