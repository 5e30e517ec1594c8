import type { Evidence } from '../evidence.ts';

/** Software, machines, the people who make them, and what they use. */
export const tech: Evidence = {
  words: {
    4: `javascript, typescript, python, rustlang, golang, kubernetes, k8s, docker, linux, ubuntu, debian, nixos, postgres, postgresql, mysql, sqlite, mongodb, redis, kafka, terraform, aws, azure, gcp, react, reactjs, nextjs, next.js, node.js, nodejs, svelte, vue, css, html,
      github, gitlab, git, pull request, pull requests, code review, merge conflict, merge conflicts, refactor, refactored, refactoring, compiler, compilers, debugger, debugging, segfault, stack trace, stack overflow, null pointer, unit test, unit tests, ci/cd, devops, sre, backend, frontend, front-end, back-end, full stack,
      api, apis, sdk, sdks, cli, ide, vscode, vs code, vim, neovim, emacs, regex, json, yaml, toml, sql, graphql, grpc, websocket, websockets, webassembly, wasm, codebase, repo, repos, monorepo, microservices, serverless, localhost, open source, open-source, source code, programming, programmer, programmers, software, software engineer, software engineers, software engineering, developer tools,
      llm, llms, gpt, chatgpt, openai, anthropic, deepmind, gemini, machine learning, deep learning, neural network, neural networks, transformer model, open weights, fine-tuning, fine-tuned, finetuning, inference, embeddings, rag, gpu, gpus, cuda, tpu, prompt engineering, context window, hallucinates, ai model, ai models, language model, language models, artificial intelligence, generative ai, agi, ai agents, ai agent, copilot,
      cve, zero-day, zero day, remote code execution, ransomware, malware, phishing, infosec, cybersecurity, vulnerability, vulnerabilities, encryption, tls, ssh, dns, vpn, firewall, passkeys, two-factor, 2fa,
      macbook, iphone, ipad, ios, macos, android, pixel phone, samsung galaxy, windows 11, chromebook, firefox, chrome extension, raspberry pi, arduino, esp32, soldering, firmware, semiconductor, semiconductors, risc-v, quantum computing, quantum computer, robotics, oled, usb-c, bluetooth, wi-fi 7, nvme, ssd, motherboard, cpu, cpus,
      latency, p99, throughput, cache invalidation, garbage collector, concurrency, multithreading, race condition, memory leak, database, databases, dataset, datasets, data center, data centers, startup founders, saas, y combinator, hacker news, show hn, product hunt, changelog, tech debt, technical debt, legacy code, stand-up notes, on-call, postmortem, incident review, tabs vs spaces, self-hosted, self-hosting, homelab, changelog, beta release, release notes, dark mode`,
    3: `rust, java, swift, kotlin, ruby, code, coding, coder, coders, bug, bugs, deploy, deployed, deploys, deployment, deployments, prod, production outage, staging, server, servers, cloud, app, apps, browser, browsers, laptop, laptops, smartphone, smartphones, operating system, algorithm, algorithms, devs, developer, developers, engineer, engineers, engineering, tech, technology, technologies,
      ai, robot, robots, chip, chips, chipmaker, silicon, foundry, hardware, terminal, framework, frameworks, library update, dependency, dependencies, npm, pip, cargo, commit, commits, branch, rebase, merge, endpoint, endpoints, webhook, http, https, url, commit message, query, queries, schema, parser, runtime, kernel, driver, drivers, byte, bytes, megabytes, gigabytes, startup, startups, hackathon, keyboard shortcuts, mechanical keyboard, lidar, drone, drones, self-driving, autopilot, ev charging, autonomous, uptime, downtime, outage, timezone, timezones, unicode, utf-8, timestamps, spacex, starlink, rocket engine, benchmarks, benchmark`,
    2: `computer, computers, internet, website, web, data, google, apple, microsoft, meta, tesla, nvidia, intel, amd, update, updates, version, release, released, feature, features, beta, users, platform, device, devices, phone, phones, battery, screen, pixel, camera, model, models, parameters, weights, training, build, builds, compile, compiled, tests, test suite, script, scripts, password, passwords, privacy, patch, patched, security, hack, hacked, hacker, hackers, network, protocol, digital, online, automation, automated, tool, tools, ui, ux, design system, interface, login, product, shipped, ship, memory, async, spreadsheet, email client, engineers, type system, runtime error, ports, specs`,
    1: `fix, fixed, error, errors, run, running, runs, demo, launch, support, tabs, team, line, lines, function, works, install, fast, faster, ms`,
  },
  hosts: {
    4: `github.com, gitlab.com, stackoverflow.com, news.ycombinator.com, huggingface.co, arxiv.org/abs/cs, techcrunch.com, arstechnica.com, theverge.com, wired.com, openai.com, anthropic.com, dev.to, developer.mozilla.org,
      python.org, nodejs.org, rust-lang.org, postgresql.org, kernel.org, lwn.net, nvd.nist.gov, cve.org, hackaday.com, lobste.rs, thenewstack.io, engadget.com, 9to5mac.com, 9to5google.com, tomshardware.com, anandtech.com, theregister.com, bleepingcomputer.com, krebsonsecurity.com,
      producthunt.com, vercel.com, kubernetes.io, docker.com, developer.apple.com, developers.google.com, web.dev, codepen.io, heise.de, slashdot.org, infoq.com, martinfowler.com, phoronix.com, macrumors.com, androidauthority.com, gsmarena.com, go.dev, typescriptlang.org, react.dev, cloudflare.com, aws.amazon.com`,
    2: `arxiv.org, medium.com/tag/programming, spectrum.ieee.org, technologyreview.com, readthedocs.io, docs.rs, netlify.app, vercel.app, figma.com`,
  },
  accounts: `github, openai, anthropicai, googledeepmind, sama, karpathy, ylecun, torvalds, dan_abramov, rauchg, vercel, nvidia, techcrunch, verge, wired, arstechnica, ycombinator, paulg, googledevs, reactjs, nodejs, rustlang, golang, postgresql, huggingface, id_aa_carmack, simonw, hackernews, newsycombinator, swyx, fchollet, mkbhd, taviso, briankrebs, b0rk, troyhunt`,
  cues: [
    [3, /`[^`\n]{1,80}`/u],
    [4, /\bCVE-\d{4}-\d{3,7}\b/u],
    [3, /(?:^|\s)(?:const|let|var|def|fn|func|import|SELECT|sudo|curl|npm|git|ssh|docker) [\w(){}<>=*."'-]{2,60}(?:\s|$)/u],
    [3, /\b\w{1,40}\(\)/u],
    [2, /\bv?\d{1,3}\.\d{1,3}\.\d{1,3}\b/u],
    [2, /\b\d{1,4} ?(?:GB|TB|MB|GHz|nm|fps|mAh|TFLOPS)\b/u],
    [2, /\b\d{1,4}B (?:parameters|params|model)\b/u],
    [2, /\b[45]\d\d (?:error|errors)\b|\bHTTP ?\d{3}\b/u],
  ],
};
