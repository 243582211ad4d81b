import type { BreakGlass } from '#requests/deliberation/contract/deliberation';
import { reviewBreakGlass } from '../../inbox/elicitations.ts';
import { Age, When } from '../../../ui/Moment.tsx';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { FindingForm } from './FindingForm.tsx';
import { breakGlass as words } from '../words/words.ts';

/** Says that the policy was passed by, by whom and why, and takes the review that is due. */
export function BreakGlassNotice({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) {
  const { breakGlass } = detail;
  if (breakGlass === null) return null;
  return (
    <Notice tone="danger" title={<Revealed text={words.used(breakGlass.by.name)} />}>
      <p>
        <Revealed text={breakGlass.reason} /> · <Age at={breakGlass.at} />
      </p>
      {breakGlass.review === null ? (
        <p>
          {words.due} <When at={breakGlass.reviewDueAt} />
        </p>
      ) : (
        <Review review={breakGlass.review} />
      )}
      {detail.can.reviewBreakGlass.allowed && <ReviewForm detail={detail} reading={reading} />}
    </Notice>
  );
}

const Review = ({ review }: { review: NonNullable<BreakGlass['review']> }) => (
  <p>
    <Revealed text={words.reviewed(review.by.name, review.isJustified)} /> <Revealed text={review.finding} /> ·{' '}
    <Age at={review.at} />
  </p>
);

const ReviewForm = ({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) => (
  <FindingForm
    detail={detail}
    reading={reading}
    step="reviewBreakGlass"
    words={{
      question: words.justified,
      verdicts: { yes: words.yes, no: words.no },
      finding: words.finding,
      save: words.review,
      saved: words.reviewKept,
    }}
    missing={(verdict, finding) => (verdict === '' || finding === '' ? words.reviewMissing : null)}
    send={(verdict, finding) => reviewBreakGlass(detail.id, { isJustified: verdict === 'yes', finding })}
  />
);
