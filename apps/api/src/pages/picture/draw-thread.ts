import { parentPort } from 'node:worker_threads';
import type { Card } from './card.ts';
import { CardArtist } from './draw-card.ts';

/** The thread that draws: it is sent a card, and answers with the bytes of its picture or why there is none. What it could not read it says beside. */
const artist = new CardArtist();

parentPort?.on('message', (card: Card) => {
  artist.draw(card).then(
    (drawn) => parentPort?.postMessage(drawn),
    (error: Error) => parentPort?.postMessage({ error: error.stack ?? error.message }),
  );
});
