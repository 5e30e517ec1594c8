export default async function tearDown(): Promise<void> {
  await (globalThis as { mongo?: { close(): Promise<void> } }).mongo?.close();
}
