"""Addresses of the pages of evidence, under /evidence/."""

from django.urls import URLPattern, path

from evidence_app.views import draft, files, home, planning, runs, samples, schedules, specs, starting, writing

urlpatterns: list[URLPattern] = [
    path("", home.evidence_home, name="evidence_home"),
    path("plan/", planning.plan_start, name="plan_start"),
    path("jobs/<str:public_id>/", runs.evidence_job, name="evidence_job"),
    path("tasks/", specs.spec_list, name="spec_list"),
    path("tasks/new/", writing.spec_new, name="spec_new"),
    path("tasks/import/", specs.spec_import, name="spec_import"),
    path("tasks/check/", writing.spec_check, name="spec_check"),
    path("tasks/<int:pk>/", specs.spec_detail, name="spec_detail"),
    path("tasks/<int:pk>/edit/", writing.spec_edit, name="spec_edit"),
    path("tasks/<int:pk>/export/", specs.spec_export, name="spec_export"),
    path("tasks/<int:pk>/archive/", specs.spec_archive, name="spec_archive"),
    path("tasks/<int:pk>/run/", starting.run_start, name="run_start"),
    path("runs/<str:public_id>/", runs.run_detail, name="run_detail"),
    path("runs/<str:public_id>/live/", runs.run_live, name="run_live"),
    path("runs/<str:public_id>/cancel/", runs.run_cancel, name="run_cancel"),
    path("runs/<str:public_id>/resume/", runs.run_resume, name="run_resume"),
    path("runs/<str:public_id>/confirm/", draft.run_confirm, name="run_confirm"),
    path("runs/<str:public_id>/discard/", draft.run_discard, name="run_discard"),
    path("runs/<str:public_id>/samples/", draft.draft_samples, name="draft_samples"),
    path("runs/<str:public_id>/combined.csv", files.run_table, name="run_table"),
    path("runs/<str:public_id>/run_summary.json", files.run_summary, name="run_summary"),
    path("runs/<str:public_id>/folder.zip", files.run_folder, name="run_folder"),
    path("samples/<int:pk>/", samples.sample_detail, name="sample_detail"),
    path("samples/<int:pk>/live/", samples.sample_live, name="sample_live"),
    path("files/<int:pk>/", files.artifact, name="artifact"),
    path("schedules/", schedules.schedule_list, name="schedule_list"),
    path("schedules/new/", schedules.schedule_new, name="schedule_new"),
    path("schedules/<int:pk>/stop/", schedules.schedule_stop, name="schedule_stop"),
]
