import type { KnownServer } from './known-server.ts';

export const github: KnownServer = {
  package: '@modelcontextprotocol/server-github',
  version: '2025.4.8',
  tools: {
    create_or_update_file: {
      does: 'writes',
      takes: ['owner', 'repo', 'path', 'content', 'message', 'branch', 'sha'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    search_repositories: {
      does: 'reads',
      takes: ['query', 'page', 'perPage'],
      definition: '1079a711f643965f2907f6ea23c25b5f3a54980cbc18e929d5aa7e2bc05c5dcd',
    },
    create_repository: { does: 'writes', takes: ['name', 'description', 'private', 'autoInit'] },
    get_file_contents: {
      does: 'reads',
      takes: ['owner', 'repo', 'path', 'branch'],
      definition: '30bfce9b69b24531108587dfde349f1387ed6deb29beedb691cd1e081ebddcd5',
    },
    push_files: {
      does: 'writes',
      takes: ['owner', 'repo', 'branch', 'files', 'message'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    create_issue: {
      does: 'writes',
      takes: ['owner', 'repo', 'title', 'body', 'assignees', 'milestone', 'labels'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    create_pull_request: {
      does: 'writes',
      takes: ['owner', 'repo', 'title', 'body', 'head', 'base', 'draft', 'maintainer_can_modify'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    fork_repository: {
      does: 'writes',
      takes: ['owner', 'repo', 'organization'],
      objects: { owner: 'repository', repo: 'repository', organization: 'account' },
    },
    create_branch: {
      does: 'writes',
      takes: ['owner', 'repo', 'branch', 'from_branch'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    list_commits: {
      does: 'reads',
      takes: ['owner', 'repo', 'sha', 'page', 'perPage'],
      definition: '7b1867fc3949fbd5d42cdb399f915882f24f58602f654cb545cb28c334c610f0',
    },
    list_issues: {
      does: 'reads',
      takes: ['owner', 'repo', 'direction', 'labels', 'page', 'per_page', 'since', 'sort', 'state'],
      definition: '98500d5dd82f653e8d19b707b23f3fb969af3f4797b5fa91a3fff1875b15475e',
    },
    update_issue: {
      does: 'writes',
      takes: ['owner', 'repo', 'issue_number', 'title', 'body', 'assignees', 'milestone', 'labels', 'state'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    add_issue_comment: {
      does: 'writes',
      takes: ['owner', 'repo', 'issue_number', 'body'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    search_code: {
      does: 'reads',
      takes: ['q', 'order', 'page', 'per_page'],
      definition: 'a356f2cf524def1fe9e167bf6b37f8d6dc4431282cc96fa8851703f695de016b',
    },
    search_issues: {
      does: 'reads',
      takes: ['q', 'order', 'page', 'per_page', 'sort'],
      definition: 'f5f7b6911cf88b0ef143334eb5b2f378c1519864dad4ddf8995289246238e431',
    },
    search_users: {
      does: 'reads',
      takes: ['q', 'order', 'page', 'per_page', 'sort'],
      definition: 'a197cba8e6be372279e942565a9526fba4121358c4cb2b93923f3d6f109732f2',
    },
    get_issue: {
      does: 'reads',
      takes: ['owner', 'repo', 'issue_number'],
      definition: '62d75b286391fba15a975ec38fe2a06533a1beddfac182b4c07acdaba8a0c4b1',
    },
    get_pull_request: {
      does: 'reads',
      takes: ['owner', 'repo', 'pull_number'],
      definition: 'd5013460848c5b9d5f2373ac72efa6ed832de8fc2024e25df972791a913c7074',
    },
    list_pull_requests: {
      does: 'reads',
      takes: ['owner', 'repo', 'state', 'head', 'base', 'sort', 'direction', 'per_page', 'page'],
      definition: '3b021e64350fd272cae90d0626ef71fc1d25f892418a12df561a2d9dced12adc',
    },
    create_pull_request_review: {
      does: 'writes',
      takes: ['owner', 'repo', 'pull_number', 'commit_id', 'body', 'event', 'comments'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    merge_pull_request: {
      does: 'writes',
      takes: ['owner', 'repo', 'pull_number', 'commit_title', 'commit_message', 'merge_method'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    get_pull_request_files: {
      does: 'reads',
      takes: ['owner', 'repo', 'pull_number'],
      definition: 'a010de709b6e639111e6db7fc0da2c783df42fa774f1dc9ef528bd0d0a7e5573',
    },
    get_pull_request_status: {
      does: 'reads',
      takes: ['owner', 'repo', 'pull_number'],
      definition: 'b172bc0770e49e92c27f5aafe513ffaec079b6ff1a9df8d0223f42537384938b',
    },
    update_pull_request_branch: {
      does: 'writes',
      takes: ['owner', 'repo', 'pull_number', 'expected_head_sha'],
      objects: { owner: 'repository', repo: 'repository' },
    },
    get_pull_request_comments: {
      does: 'reads',
      takes: ['owner', 'repo', 'pull_number'],
      definition: '7646207140c67ce593b993f70e8ce5d08828991eed747e216158455d9f52ca9b',
    },
    get_pull_request_reviews: {
      does: 'reads',
      takes: ['owner', 'repo', 'pull_number'],
      definition: '17e01f715fb544ddd56bbb51720a63ce1d681917c0dfd8728284571e810b883b',
    },
  },
};
