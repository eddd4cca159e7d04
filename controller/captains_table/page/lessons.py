"""The handlers of the page's requests to begin a lesson, go a step back in it, let the coach show, or leave it."""

from starlette.requests import Request
from starlette.responses import Response

from captains_table.page.handlers import RequestHandlers, redirect_after_post
from captains_table.phrases import say
from captains_table.table.model.events import AdviceAsked
from captains_table.web.problems import Problem


class LessonRequests(RequestHandlers):
    """The request handlers of lessons."""

    async def begin(self, request: Request) -> Response | None:
        """Begin the lesson of a game, from the first step or from the step that the address names."""
        step = request.query_params.get("step", "1")
        if not step.isascii() or not step.isdecimal():
            raise Problem(400, say("A lesson has no step {step}: expected a number from 1.", repr(step[:40])))
        self.table.matches.begin_lesson(request.path_params["game"], int(step[:9]))
        return redirect_after_post(request, "/table")

    async def act(self, request: Request) -> None:
        """Go a step back in the lesson, do what the learner is to do, or leave the lesson, as the address says."""
        lesson, coach, way = self.table.session.teaches, self.table.view().coach, request.path_params["way"]
        if lesson is None or coach is None:
            raise Problem(409, say("No lesson is held: expected one to be begun first."))
        if way == "back":
            self.table.matches.begin_lesson(lesson.game, max(1, coach.step - 1))
        elif way == "show":
            self.table.handle(AdviceAsked())
        elif way == "leave":
            self.table.matches.leave(for_good=False)
        else:
            raise Problem(404, say("A lesson cannot {way}: expected back, show or leave.", repr(way[:40])))
