import type { KnownServer } from './known-server.ts';

export const everything: KnownServer = {
  package: '@modelcontextprotocol/server-everything',
  version: '2026.8.31',
  tools: {
    echo: {
      does: 'reads',
      takes: ['message'],
      definition: '8f31aeb0fd9753b158fefce67764719ca72505d2378f74dbabd1ea1b9fb2bfff',
    },
    'get-annotated-message': {
      does: 'reads',
      takes: ['messageType', 'includeImage'],
      definition: 'b86774d0988b818709cf08e33f6882d89398e9bcf5c86d97267ca517bcdded1b',
    },
    'get-env': {
      does: 'reads',
      takes: [],
      definition: '2a995f17fb743780328a73b3bfe0c65b2e41ff7842cf9981c7cb8b36cf68d05a',
    },
    'get-resource-links': {
      does: 'reads',
      takes: ['count'],
      definition: '47a0428a7a1f4f67263d7d028a25c2a955f3c9677e479942e2ae0698dc8d015b',
    },
    'get-resource-reference': {
      does: 'reads',
      takes: ['resourceType', 'resourceId'],
      definition: 'f9203678effc66e60e081b8a0600cbe90ef7c025445c1efbe3ce34e93beb6b56',
    },
    'get-structured-content': {
      does: 'reads',
      takes: ['location'],
      definition: '9ff22032fd5d0ac7cbf0af1816c16a20bd714363d9067cc1c649ea2ef0a818ca',
    },
    'get-sum': {
      does: 'reads',
      takes: ['a', 'b'],
      definition: 'b47215ef87de770171e785348cf06542c922a55ebcbbc1846de08d06e3c9e167',
    },
    'get-tiny-image': {
      does: 'reads',
      takes: [],
      definition: 'f0a6d05dc69dd918d62e8ad82a144b481b6f625320244356427bac187b677015',
    },
    'gzip-file-as-resource': { does: 'writes', takes: ['name', 'data', 'outputType'] },
    'toggle-simulated-logging': { does: 'writes', takes: [] },
    'toggle-subscriber-updates': { does: 'writes', takes: [] },
    'trigger-long-running-operation': {
      does: 'reads',
      takes: ['duration', 'steps'],
      definition: '71dab5645c743d8650d7d86ae0fa2ee07d1ba57261f254327a8f0e22583b8c14',
    },
    'simulate-research-query': { does: 'writes', takes: ['topic', 'ambiguous'] },
  },
};
