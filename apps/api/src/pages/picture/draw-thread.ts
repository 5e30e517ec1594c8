import { parentPort } from 'node:worker_threads';
import type { Card } from './card.ts';
import { CardArtist } from './draw-card.ts';

/** The thread that draws. It gets a card and answers with the bytes of its picture, and with what it could not read; or with an error. */
const artist = new CardArtist();

parentPort?.on('message', (card: Card) => {
  artist.draw(card).then(
    (drawn) => parentPort?.postMessage(drawn),
    (error: Error) => parentPort?.postMessage({ error: error.stack ?? error.message }),
  );
});
