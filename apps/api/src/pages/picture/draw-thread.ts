import { parentPort } from 'node:worker_threads';
import type { Card } from './card.ts';
import { CardArtist } from './draw-card.ts';

/** Receives a card; answers with the picture's bytes and the unreadable inputs, or with an error. */
const artist = new CardArtist();

parentPort?.on('message', (card: Card) => {
  artist.draw(card).then(
    (drawn) => parentPort?.postMessage(drawn),
    (error: Error) => parentPort?.postMessage({ error: error.stack ?? error.message }),
  );
});
