import { reviewLookBack } from '../../inbox/elicitations.ts';
import { Age } from '../../../ui/Moment.tsx';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { FindingForm } from './FindingForm.tsx';
import { lookBack as words } from '../words/words.ts';

/** Says that this was allowed and chosen for a later look, and takes what the person who looks finds. */
export function LookBackNotice({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) {
  const { lookBack } = detail;
  if (lookBack === null) return null;
  const { review } = lookBack;
  return (
    <Notice tone={review?.shouldHaveAsked ? 'warn' : 'plain'} title={words.chosen}>
      {review === null ? (
        <p>{words.open}</p>
      ) : (
        <p>
          <Revealed text={words.reviewed(review.by.name, review.shouldHaveAsked)} /> <Revealed text={review.finding} />{' '}
          · <Age at={review.at} />
        </p>
      )}
      {detail.can.reviewLookBack.allowed && <ReviewForm detail={detail} reading={reading} />}
    </Notice>
  );
}

const ReviewForm = ({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) => (
  <FindingForm
    detail={detail}
    reading={reading}
    step="reviewLookBack"
    words={{ ...words, verdicts: { right: words.right, wrong: words.wrong } }}
    missing={(verdict, finding) =>
      verdict === '' ? words.missing : verdict === 'wrong' && finding === '' ? words.noteMissing : null
    }
    send={(verdict, finding) => reviewLookBack(detail.id, { shouldHaveAsked: verdict === 'wrong', finding })}
  />
);
