import type { Evidence } from '../evidence.ts';

/** Jokes in a form that everybody knows, and words that are used for them. */
export const meme: Evidence = {
  words: {
    4: `absolutely nobody, pov, meme, memes, dank, shitpost, shitposting, lmao, lmfao, rofl, tag yourself, has entered the chat, entered the chat, left the chat, one does not simply, expectation vs reality, expectations vs reality, how it started, how it's going, this is the way, main character energy, main character, npc, no thoughts, head empty, stonks, in the first half, ight imma head out, imma head out, i'm in this photo, i feel attacked, hits different, rent free, living rent free, it's giving, understood the assignment, big mood, same energy, be like, change my mind meme, galaxy brain, sigma, skibidi, rizz, gyatt, fanum tax, only in ohio, bruh, bruh moment, yeet, doggo, pupper, smol, chonk, chonky, stronk, much wow, such wow, very wow, doge meme, wojak, chad, gigachad, is this a pigeon, distracted boyfriend, drake meme, this is fine, shrek, among us, sus, rickroll, rick rolled, never gonna give you up, all your base, press f, f in the chat, press f to pay respects, caption this, gigabrain, brainrot, deep fried, copypasta, wrong answers only, use this gif, reaction gif, laughs in, cries in, me irl, me_irl, no cap, fr fr, on god, slay, let him cook, he's cooking, let me cook, bro thinks, bro really, bro said, he just like me fr, real ones know, girl dinner, boy math, girl math, starter pack, they don't know, corporate needs you to find the difference, they're the same picture, caught in 4k, outta pocket, it do be like that, do be like that, ain't no way, who did this, i can't breathe, i'm dead, i'm deceased, i'm screaming, screaming crying throwing up, delulu, sir this is a wendy's, this is a wendy's`,
    3: `lol, lolol, haha, hahaha, hahahaha, kek, xd, bro, vibing, iconic, unhinged, cursed, blursed, yikes, oof, boi, legend, legendary, savage, vibe check, dead inside, adulting, me explaining, me when, when you, when your, when ur, when the, that feeling when, tfw, mfw, mrw, internally, hold my beer, task failed successfully, outstanding move, modern problems, wait what, well yes but actually no, why are you like this, nobody asked for this but, my last brain cell, brain cell, brain cells, last two brain cells, intrusive thoughts, 3am, 3 am, 4am, 4 am, 2am, so real, iykyk, ngl, tbh same, sleep paralysis demon, toxic trait, gen z, millennials be, boomers be`,
    2: `vibes, mood, same, literally me, also me, dude, kinda, gonna, wanna, lemme, y tho, tho, pls, plz, halp, wut, dis, dat, 😂, 🤣, 💀, 😭, 😩, 🗿, 🫠, 🐸, 😳, 🤡, 📈, 🪦`,
    1: `monday, brain, energy, imagine, cat, 🔥, 💯, 😎, 😅, 🤔, 👀, 🙃, 😤`,
  },
  hosts: { 4: `imgflip.com, knowyourmeme.com, 9gag.com, tenor.com, giphy.com, me.me, memegenerator.net, reddit.com/r/memes, reddit.com/r/dankmemes, ifunny.co, quickmeme.com`, 2: `imgur.com` },
  accounts: `memes, dogeofficialceo, wojakcompass, dankmemes, memesiwish, 9gag, knowyourmeme, daquan, shitheadsteve, nocontextbrits, dril, weirddalle, no_context_memes`,
  cues: [
    [4, /^(?:absolutely )?(?:nobody|no one|literally no one)\s?:/imu],
    [4, /^(?:me|also me|him|her|them|my brain|brain|society|everyone|everybody|teacher|boss|mom|mum|dad)\s?(?:at \d ?[ap]m|\([^)\n]{1,30}\))?\s?:/imu],
    [3, /\b(?:me|my brain) at \d ?[ap]m\b/iu],
    [4, /\*(?:laughs?|cries|screams?|sweats|stares|nods|chuckles|panics|sips|whispers|gasps|dies|confused|visible|surprised|sad|record)\b[^*\n]{0,40}\*/iu],
    [3, /(?:💀|😂|🤣|😭)\s?(?:💀|😂|🤣|😭)/u],
    [3, /\b(?:when|whenever) (?:you|your|u|ur|the|my|he|she|they)\b[^.]{0,120}(?:💀|😂|🤣|😭|😩|🤡|$)/u],
    [3, /\bhow it(?: i|['’])?s? (?:started|going)\b/iu],
    [3, /\b(?:plot twist|narrator|pov|caption this)\s?:/iu],
  ],
};
