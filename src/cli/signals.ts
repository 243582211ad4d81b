/** Listens from the start, so that a node can be stopped while it starts. */
export function watchSignals(): { first: Promise<NodeJS.Signals>; second: Promise<NodeJS.Signals> } {
  const first = nextSignal();
  return { first, second: first.then(nextSignal) };
}

const nextSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const names = ['SIGINT', 'SIGTERM'] as const;
    const onSignal = (name: NodeJS.Signals): void => {
      for (const each of names) process.off(each, onSignal);
      resolve(name);
    };
    for (const each of names) process.on(each, onSignal);
  });
