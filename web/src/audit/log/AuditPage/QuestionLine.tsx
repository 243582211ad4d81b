import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { serverNow } from '../../../client/call-api/call-api.ts';
import { useNavigate } from 'react-router';
import { usersQuery } from '../../../people/users/directory-queries.ts';
import classes from '../Audit.module.css';
import { formatQuestion } from '../format-question.ts';
import { readQuestion } from './read-question.ts';
import { searchOf } from '../report-search.ts';
import { grammar, line, questions, words } from '../words/words.ts';

/** One box for every question: it says how it reads what is typed, and leads to the answer, where all of it can be changed. */
export function QuestionLine() {
  const navigate = useNavigate();
  const people = useQuery(usersQuery).data ?? [];
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [now] = useState(serverNow);
  const id = useId();
  const question = readQuestion(text, { grammar, line, titles: questions, labels: words, people, now });
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (question.ok) void navigate(`/audit/${question.id}?${searchOf(question.id, question.draft).toString()}`);
  };
  const change = (next: string): void => {
    setText(next);
    setIsTried(false);
  };
  return (
    <form onSubmit={onSubmit} className={classes.line} role="search" noValidate>
      <TextInput
        label={line.label}
        description={line.example}
        value={text}
        error={isTried && !question.ok}
        aria-describedby={id}
        onChange={(event) => change(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" variant="default">
        {line.ask}
      </Button>
      <p id={id} role="status" className={classes.note}>
        {question.ok && formatQuestion(question, people)}
        {!question.ok && isTried && question.fault}
      </p>
    </form>
  );
}
