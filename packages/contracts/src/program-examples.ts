/** An example of what a program can do with an archive, as the page for programs shows it. */
export interface ProgramExample {
  title: string;
  text: string;
  /** Shell commands; `ORIGIN` stands for the archive's address, `KEY` for an API key and `ID` for a post. */
  commands: readonly string[];
}

export const PROGRAM_EXAMPLES: readonly ProgramExample[] = [
  {
    title: 'Search',
    text: 'Ask for posts with the words and operators of the search box. The answer gives a page of posts and, as pagination.next, the cursor of the next page: give it as "cursor". Put words of your own in the place of harbour.',
    commands: ["curl 'ORIGIN/amber/archives?q=harbour+since:2020-01-01&limit=5'"],
  },
  {
    title: 'Save',
    text: 'Give a link to a post on a network that this archive reads (its page ORIGIN/save names them), with an API key of the scope "save" that an operator has made for you. The answer names the request; ask for it at ORIGIN/amber/saves/ID until its state is "answered" or "failed".',
    commands: [
      `curl 'ORIGIN/amber/saves' -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' -d '{"url":"https://bsky.app/profile/bsky.app/post/3l6oveex3ii2l"}'`,
    ],
  },
  {
    title: 'Follow',
    text: 'Every search is a feed of the posts that were saved last, as Atom, RSS or JSON Feed.',
    commands: ["curl 'ORIGIN/feed.atom?q=harbour'", "curl 'ORIGIN/feed.json?category=tech'"],
  },
  {
    title: 'Mirror',
    text: 'Keep a copy. The first call gives all posts, one a line, and as its last line a cursor. The same call with that cursor as "since" gives what has changed since, removals too.',
    commands: ["curl 'ORIGIN/amber/archives/export?format=ndjson&since=begin'"],
  },
  {
    title: 'Ask from an assistant',
    text: 'The address ORIGIN/mcp serves the Model Context Protocol, for reading only. An assistant can search posts, read one with its thread, and cite its link.',
    commands: [
      `curl 'ORIGIN/mcp' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_posts","arguments":{"q":"harbour"}}}'`,
    ],
  },
  {
    title: 'Embed',
    text: 'Show a post in a page of yours. ID is the _id of a post in an answer. oEmbed tells how to frame it; the frame has no script and no tracker.',
    commands: ["curl 'ORIGIN/oembed?url=ORIGIN/post/ID'"],
  },
];
