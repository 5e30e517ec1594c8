import { setTimeout as delay } from 'node:timers/promises';
import type { Product } from '@archive/testing';
import { openDatabase } from '../src/db/database.ts';

/** Waits for the agent's first start. Mentions before it count as no request. */
export async function atWork(product: Product): Promise<void> {
  const { db, close } = await openDatabase(product.mongo.uri);
  while (!(await db.collection('agents').findOne())) await delay(50);
  await close();
}
