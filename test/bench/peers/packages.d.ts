// What the peers' files use of packages that only `npm run bench -- --peers` installs.

declare module '@dbos-inc/dbos-sdk' {
  export const DBOS: {
    setConfig(config: { name: string; systemDatabaseUrl: string; logLevel: string }): void;
    launch(): Promise<void>;
    registerWorkflow<A extends unknown[], R>(
      work: (...given: A) => Promise<R>,
      options: { name: string },
    ): (...given: A) => Promise<R>;
    startWorkflow<A extends unknown[], R>(
      workflow: (...given: A) => Promise<R>,
      options: { workflowID: string },
    ): (...given: A) => Promise<{ getResult(): Promise<R> }>;
    recv<T>(topic: string, seconds: number): Promise<T | null>;
  };
  export const DBOSClient: {
    create(options: { systemDatabaseUrl: string }): Promise<{
      send(workflow: string, message: string, topic: string): Promise<void>;
    }>;
  };
}

declare module '@restatedev/restate-sdk' {
  import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
  export interface Context {
    awakeable<T>(): { id: string; promise: Promise<T> };
  }
  export interface Service<H = object> {
    name: string;
    handlers: H;
  }
  export function service<H extends object>(definition: Service<H>): Service<H>;
  export function createEndpointHandler(options: {
    services: Service[];
    logger: () => void;
  }): (request: Http2ServerRequest, response: Http2ServerResponse) => void;
}

declare module '@restatedev/restate-sdk-clients' {
  import type { Context, Service } from '@restatedev/restate-sdk';
  type Sending<H> = {
    [K in keyof H]: H[K] extends (context: Context, given: infer G) => unknown ? (given: G) => Promise<unknown> : never;
  };
  export function connect(options: { url: string }): {
    serviceSendClient<H>(service: Service<H>): Sending<H>;
    resolveAwakeable(id: string, value: string): Promise<void>;
  };
}

declare module 'pg-boss' {
  export default class PgBoss {
    constructor(connectionString: string);
    on(event: 'error', listener: (error: Error) => void): void;
    start(): Promise<unknown>;
    createQueue(name: string): Promise<void>;
    send(name: string, data: object, options?: { id: string }): Promise<string | null>;
    work<T>(
      name: string,
      options: { pollingIntervalSeconds: number; batchSize: number },
      work: (jobs: { data: T }[]) => Promise<void>,
    ): Promise<string>;
    deleteJob(name: string, ids: string[]): Promise<void>;
  }
}

declare module '@langchain/langgraph-checkpoint-postgres' {
  import type { BaseCheckpointSaver } from '@langchain/langgraph';
  export const PostgresSaver: {
    fromConnString(url: string): BaseCheckpointSaver & { setup(): Promise<void> };
  };
}

declare module 'ioredis' {
  export class Redis {
    constructor(port: number, host: string, options: { maxRetriesPerRequest: null });
    quit(): Promise<unknown>;
  }
}

declare module 'bullmq' {
  import type { Redis } from 'ioredis';
  interface Connected {
    connection: Redis;
  }
  export interface Job {
    id?: string;
    waitUntilFinished(events: QueueEvents): Promise<unknown>;
    moveToCompleted(value: string, token: string, fetchNext: boolean): Promise<unknown>;
  }
  export class Queue<T> {
    constructor(name: string, options: Connected);
    add(name: string, data: T, options: { jobId: string; removeOnComplete: boolean }): Promise<Job>;
  }
  export class QueueEvents {
    constructor(name: string, options: Connected);
    setMaxListeners(count: number): void;
    waitUntilReady(): Promise<unknown>;
  }
  export class Worker<T> {
    constructor(name: string, processor: null, options: Connected);
    getNextJob(token: string): Promise<Job | undefined>;
    private readonly data: T;
  }
}
