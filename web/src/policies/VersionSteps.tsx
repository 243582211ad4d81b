import { useDraft } from '../ui/carried-text.ts';
import { Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useIsOnlyAdministrator } from '../people/users/directory-queries.ts';
import { formatPermission, type Permission } from '../people/roles/permission-table.ts';
import type { AnswerOf } from '#platform/http/contract/call';
import type { PolicyDetail, ReviewVersion } from '#policies/contract/documents';
import { policyRoutes } from '#policies/contract/routes';
import { call } from '../client/call.ts';
import { ChangeNotice } from '../people/changes/ChangeNotice.tsx';
import { Cross, Tick } from '../ui/icons.tsx';
import { ProblemNotice } from '../ui/Notice.tsx';
import page from '../ui/Page.module.css';
import { ReasonedButton } from '../ui/ReasonedButton.tsx';
import classes from './Policies.module.css';
import { usePolicyStep, type PolicyStep } from './policy-queries.tsx';
import { steps as words } from './words/words.ts';

/** Next steps for this version. Steps out of turn are left out; steps for other people give the reason. */
export function VersionSteps({ detail }: { detail: PolicyDetail }) {
  const params = placeOf(detail);
  const review = usePolicyStep(
    (body: ReviewVersion) => call(policyRoutes.reviewVersion, { params, body }),
    words.reviewed,
  );
  // It may follow a review at once, so it stays while the steps change.
  const publish: Publish = usePolicyStep(() => call(policyRoutes.publishVersion, { params }), words.published);
  if (detail.state === 'draft') return <DraftSteps detail={detail} />;
  if (detail.state === 'in-review') return <ReviewSteps detail={detail} review={review} publish={publish} />;
  return <LaterSteps detail={detail} publish={publish} />;
}

type Publish = PolicyStep<void, AnswerOf<typeof policyRoutes.publishVersion>>;

const placeOf = ({ name, version }: PolicyDetail) => ({ name, version });

function DraftSteps({ detail }: { detail: PolicyDetail }) {
  const submit = usePolicyStep(() => call(policyRoutes.submitVersion, { params: placeOf(detail) }), words.submitted);
  return (
    <Frame title={words.draft} note={words.draftNote} error={submit.error}>
      <div className={page.actions}>
        {detail.can.edit.allowed && (
          <Link to={`/policies/${detail.name}/edit?version=${detail.version}`} className={page.action}>
            {words.edit}
          </Link>
        )}
        <Step
          permission={formatPermission(detail.can.submit)}
          isSending={submit.isPending}
          onPress={() => submit.mutate()}
          text={words.submit}
        />
      </div>
    </Frame>
  );
}

interface ReviewStepsProps {
  detail: PolicyDetail;
  review: PolicyStep<ReviewVersion, PolicyDetail>;
  publish: Publish;
}

function ReviewSteps({ detail, review, publish }: ReviewStepsProps) {
  const [note, setNote] = useDraft('review', '', detail.digest);
  const [isNoteMissing, setIsNoteMissing] = useState(false);
  const [isPublishing, setIsPublishing] = useState(false);
  const { can, digest } = detail;
  // Only the review is missing.
  const mayPublish = can.publish.refusal === 'not-approved';
  const isStuck = useIsOnlyAdministrator() && can.review.refusal === 'own-version';
  const send = (verdict: ReviewVersion['verdict'], isPublished = false) => {
    const text = note.trim();
    setIsNoteMissing(verdict === 'reject' && text === '');
    if (verdict === 'reject' && text === '') return;
    setIsPublishing(isPublished);
    const onSuccess = () => isPublished && publish.mutate();
    review.mutate({ verdict, digest, ...(text !== '' && { note: text }) }, { onSuccess });
  };
  const sending = review.isPending ? review.variables.verdict : null;
  return (
    <Frame
      title={words.review}
      note={can.review.refusal === 'own-version' ? words.ownReviewNote : words.reviewNote}
      error={review.error}
    >
      <Textarea
        label={words.note}
        description={words.noteNote}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        error={isNoteMissing && note.trim() === '' && words.noteMissing}
        disabled={!can.review.allowed}
        maxLength={2000}
        rows={2}
        autoComplete="off"
      />
      <div className={page.actions}>
        {mayPublish && (
          <Step
            permission={formatPermission(can.review)}
            isSending={sending === 'approve' && isPublishing}
            icon={<Tick />}
            onPress={() => send('approve', true)}
            isPrimary
            text={words.approveAndPublish}
          />
        )}
        <Step
          permission={formatPermission(can.review)}
          isSending={sending === 'approve' && !isPublishing}
          icon={<Tick />}
          onPress={() => send('approve')}
          isPrimary={!mayPublish}
          isRepeated={mayPublish}
          text={words.approve}
        />
        <Step
          permission={formatPermission(can.review)}
          isSending={sending === 'reject'}
          icon={<Cross />}
          onPress={() => send('reject')}
          text={words.reject}
          isRepeated
        />
        <ShadowStep detail={detail} />
      </div>
      {isStuck && <p className={page.soft}>{words.alone}</p>}
    </Frame>
  );
}

function LaterSteps({ detail, publish }: { detail: PolicyDetail; publish: Publish }) {
  const navigate = useNavigate();
  const restore = usePolicyStep(async () => {
    const draft = await call(policyRoutes.restoreVersion, { params: placeOf(detail) });
    await navigate(`/policies/${draft.name}?version=${draft.version}`);
  }, words.restored);
  if (detail.isPublished) {
    return (
      <div className={page.actions}>
        <Link to={`/policies/${detail.name}/edit?version=${detail.version}`} className={page.action}>
          {words.change}
        </Link>
        {!detail.isRetired && (
          <Link to={`/policies/${detail.name}/edit?version=${detail.version}&retire`} className={page.action}>
            {words.retire}
          </Link>
        )}
      </div>
    );
  }
  const isNext = detail.state === 'approved' && detail.publishedAt === null;
  return (
    <Frame
      title={isNext ? words.approved : words.older}
      note={isNext ? words.approvedNote : words.olderNote}
      error={publish.error ?? restore.error}
    >
      <div className={page.actions}>
        {isNext && (
          <Step
            permission={formatPermission(detail.can.publish)}
            isSending={publish.isPending}
            onPress={() => publish.mutate()}
            text={words.publish}
          />
        )}
        {detail.can.restore.allowed && !detail.can.publish.allowed && (
          <Step
            permission={formatPermission(detail.can.restore)}
            isSending={restore.isPending}
            onPress={() => restore.mutate()}
            text={words.restore}
          />
        )}
        <ShadowStep detail={detail} />
      </div>
      <ChangeNotice change={publish.data} />
    </Frame>
  );
}

function ShadowStep({ detail }: { detail: PolicyDetail }) {
  const shadow = usePolicyStep(
    () =>
      call(policyRoutes.setShadow, {
        params: { name: detail.name },
        body: { version: detail.isShadow ? null : detail.version },
      }),
    detail.isShadow ? words.unshadowed : words.shadowed,
  );
  if (!detail.can.shadow.allowed && !detail.isShadow) return null;
  return (
    <>
      <Step
        permission={{ allowed: true, reason: null }}
        isSending={shadow.isPending}
        onPress={() => shadow.mutate()}
        text={detail.isShadow ? words.unshadow : words.shadow}
        isQuiet
      />
      {shadow.isError && <ProblemNotice error={shadow.error} />}
    </>
  );
}

interface StepProps {
  permission: Permission;
  isSending: boolean;
  icon?: React.ReactNode;
  onPress: () => void;
  text: string;
  /** Is the reason already next to another button? */
  isRepeated?: boolean;
  isPrimary?: boolean;
  isQuiet?: boolean;
}

function Step({ permission, isSending, icon, onPress, text, isRepeated = false, isPrimary, isQuiet }: StepProps) {
  const id = useId();
  return (
    <span className={classes.step}>
      <ReasonedButton
        permission={permission}
        reasonId={id}
        isSending={isSending}
        icon={icon}
        isPrimary={isPrimary === true}
        isQuiet={isQuiet === true}
        onPress={onPress}
      >
        {text}
      </ReasonedButton>
      {permission.reason !== null && (
        <span id={id} className={`${page.reason} ${classes.why}`} hidden={isRepeated}>
          {permission.reason}
        </span>
      )}
    </span>
  );
}

interface FrameProps {
  title: string;
  note: string;
  error: unknown;
  children: React.ReactNode;
}

const Frame = ({ title, note, error, children }: FrameProps) => (
  <section className={classes.steps}>
    <h2 className={page.subtitle}>{title}</h2>
    <p className={page.soft}>{note}</p>
    {error !== null && <ProblemNotice error={error} />}
    {children}
  </section>
);
